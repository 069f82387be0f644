import type { AgentNode, Selector } from '#engine/agentFile/agentTypes.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';
import { createTextResolver } from '#engine/variables/references.ts';
import type { VariablePool } from '#engine/variables/variables.ts';

/** An input that a node would get. */
interface NodeInput {
	readonly name: string;
	readonly value: unknown;
	/** The variable; undefined for texts with references. */
	readonly selector?: Selector;
}

/** Settings that aren't inputs: program texts, and values that the node type derives from other settings. */
const leftOut = new Set(['title', 'desc', 'type', 'code', 'template', 'jinja', 'output_selector', 'structured_output', 'schema']);
/** Maximum depth to which settings are inspected, because a file can nest them without limit. */
const deepest = 8;

/**
 * Returns the inputs that a node would get if it started now, to the extent that this is known without running it: values of its variables,
 * and its texts with references filled in. Finds them by the structure of the settings, so that node types don't need any code for it.
 */
export function getNodeInputs({ settings }: Pick<AgentNode, 'settings'>, variables: VariablePool): readonly NodeInput[] {
	const found = new Map<string, NodeInput>();
	const resolve = createTextResolver(variables);
	/** Returns a text unfilled if all texts together would be too long. */
	const fillText = (text: string) => {
		try {
			return resolve(text);
		} catch {
			return text;
		}
	};
	/** Last suffix used for each name. A prompt can have thousands of messages with the same role. */
	const counts = new Map<string, number>();
	const addInput = (name: string, input: Omit<NodeInput, 'name'>) => {
		let unique = name;
		for (let count = counts.get(name) ?? 1; found.has(unique); counts.set(name, count)) {
			count++;
			unique = `${name} (${count})`;
		}
		found.set(unique, { name: unique, ...input });
	};
	const addVariable = (name: string, selector: Selector) => addInput(name, { value: variables.get(selector) ?? null, selector });
	const collectInputs = (value: unknown, name: string, depth: number): void => {
		if (depth > deepest) {
			return;
		}
		if (typeof value === 'string') {
			if (value.includes('{{#')) {
				addInput(name, { value: fillText(value) });
			}
			return;
		}
		if (Array.isArray(value)) {
			for (const [index, item] of value.entries()) {
				collectInputs(item, `${name}[${index}]`, depth + 1);
			}
			return;
		}
		if (!isPlainObject(value)) {
			return;
		}
		const { variable, value_selector: named, role, text } = value;
		if (typeof variable === 'string' && isSelector(named)) {
			addVariable(variable, named);
			return;
		}
		if (typeof role === 'string' && typeof text === 'string') {
			addInput(role, { value: fillText(text) });
			return;
		}
		for (const [key, field] of Object.entries(value)) {
			if (leftOut.has(key)) {
				continue;
			}
			if (key.endsWith('selector') && isSelector(field)) {
				addVariable(field.slice(-1)[0] as string, field);
			} else {
				collectInputs(field, name === '' ? key : `${name}.${key}`, depth + 1);
			}
		}
	};
	collectInputs(settings, '', 0);
	return [...found.values()];
}

function isSelector(value: unknown): value is Selector {
	return Array.isArray(value) && value.length > 1 && value.every(part => typeof part === 'string');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return isObjectValue(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
