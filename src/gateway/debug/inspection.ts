import { referencePattern } from '#agentFile/references.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugAnswers, DebugCommand, DebugVariable } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { resolveText } from '#engine/variables/references.ts';
import { segmentType } from '#engine/variables/segmentType.ts';
import { mask } from '#network/redaction.ts';
import { agentOf, type Branch, type Standpoint, standpointsOf } from './branches.ts';
import type { Evaluate, Evaluated } from './breakpoints.ts';
import { completions } from './completion.ts';
import type { Expressions } from './expressions.ts';
import { containerOf, expressionValues } from './expressionValues.ts';
import { listedValue, membersOf, sizeOf } from './listedValue.ts';
import { masked, outermostOf } from './masked.ts';
import { memberOf, placeAt, scopesAt, type ValuePath } from './places.ts';
import { isSettable, setValue } from './setValue.ts';

type CommandOf<Name extends DebugCommand['command']> = Extract<DebugCommand, { command: Name }>;

/** Default number of listed members of a value. */
const pageLength = 100;
/** Number of stored expression results that can be expanded. */
const keptResults = 100;

/** Reads and changes the values of a stopped run. Masks the secrets of its agents in everything it returns. */
export class Inspection {
	readonly #expressions: Expressions;
	readonly #results = new Map<number, unknown>();
	#lastResult = 0;

	constructor(expressions: Expressions) {
		this.#expressions = expressions;
	}

	/** Returns a function that evaluates breakpoint expressions at a branch. */
	readonly evaluateAt =
		(branch: Branch): Evaluate =>
		expressions =>
			this.#evaluate(expressions, standpointsOf(branch)[0] as Standpoint);

	scopes(branch: Branch, { frame }: CommandOf<'scopes'>): DebugAnswers['scopes'] {
		return { scopes: [...scopesAt(pointOf(branch, frame))] };
	}

	variables(branch: Branch, { frame, path, start = 0, count = pageLength }: CommandOf<'variables'>): DebugAnswers['variables'] {
		const point = pointOf(branch, frame);
		const { value } = placeAt(path, point, this.#results);
		return {
			total: sizeOf(value),
			variables: membersOf(value, start, count).map(key => this.#listed(String(key), [...path, key], point, true)),
		};
	}

	setVariable(branch: Branch, { frame, path, value }: CommandOf<'set_variable'>): DebugVariable {
		const point = pointOf(branch, frame);
		const { value: now, selector, fixed } = placeAt(path, point, this.#results);
		if (selector === undefined || fixed) {
			throw new ServiceFault(
				400,
				fixed
					? localizable`This value can't be set because it's a secret.`
					: localizable`This value can't be set because it isn't a variable. Expected a variable, such as an output of a node.`,
				{ params: 'path' },
			);
		}
		if (hasMark(value) && hasMark(masked(now, point.level)) && !hasMark(now)) {
			throw new ServiceFault(
				400,
				localizable`value: The current value contains a secret, shown as ${mask}, which would be lost. Expected a value without ${mask}.`,
				{ params: 'value' },
			);
		}
		const previous = setValue(point.level, selector, value);
		// events of an agent used as a tool are reported by the debugged run
		const { run, place } = outermostOf(point.level);
		const agent = agentOf(point.level);
		run.events.variableSet({
			selector,
			value: masked(value, point.level),
			previous: masked(previous ?? null, point.level),
			node_id: branch.node.id,
			...(agent === undefined ? point.level.place : { agent, ...place }),
		});
		return this.#listed(String(path.at(-1)), path, point);
	}

	async evaluate(branch: Branch, { frame, expression }: CommandOf<'evaluate'>): Promise<DebugVariable> {
		const point = pointOf(branch, frame);
		const text = expression.trim();
		const reference = new RegExp(`^${referencePattern.source}$`).exec(text)?.[1] ?? (/^[\w-]+(\.[\w-]+)+$/.test(text) ? text : undefined);
		const path = reference === undefined ? undefined : pathOf(reference.split('.'), point);
		if (path) {
			return { ...this.#listed(text, path, point), name: text };
		}
		if (text.includes('{{#')) {
			return listedValue(text, masked(resolveText(text, point.level.variables), point.level));
		}
		// it took too long, or the values are too big
		const [outcome] = await this.#evaluate([text], point).catch((error: Error): readonly Evaluated[] => [{ error: error.message }]);
		if (!outcome || 'error' in outcome) {
			throw new ServiceFault(400, localizable`Couldn't evaluate the expression: ${outcome?.error ?? 'no result'}`, {
				params: 'expression',
			});
		}
		return listedValue(text, outcome.value, { path: ['results', this.#keep(outcome.value)] });
	}

	complete(branch: Branch, { frame, text, column }: CommandOf<'complete'>): DebugAnswers['complete'] {
		return { items: [...completions(text, column, pointOf(branch, frame))] };
	}

	async #evaluate(expressions: readonly string[], point: Standpoint) {
		const values = expressionValues(expressions, point, value => masked(value, point.level));
		return this.#expressions.evaluate(expressions, values, point.level.run.scheduler.signal);
	}

	#keep(value: unknown): number {
		const number = ++this.#lastResult;
		this.#results.set(number, value);
		this.#results.delete(number - keptResults);
		return number;
	}

	#listed(name: string, path: ValuePath, point: Standpoint, inList = false): DebugVariable {
		const { value, selector, fixed } = placeAt(path, point, this.#results);
		return listedValue(name, masked(value, point.level), {
			path,
			inList,
			...(selector && { selector }),
			settable: selector !== undefined && !fixed && isSettable(segmentType(value)),
		});
	}
}

/** True if a value contains the mask of secrets. */
function hasMark(value: unknown): boolean {
	return (JSON.stringify(value) ?? '').includes(mask);
}

/** Returns a frame of a branch. Throws an error (400) if it doesn't exist. */
function pointOf(branch: Branch, frame = 0): Standpoint {
	const points = standpointsOf(branch);
	const point = points[frame];
	if (!point) {
		throw new ServiceFault(400, localizable`frame: Expected a number from 0 to ${points.length - 1}.`, { params: 'frame' });
	}
	return point;
}

/** Returns the path where a variable is listed; undefined if it doesn't exist. */
function pathOf(selector: readonly string[], point: Standpoint): ValuePath | undefined {
	const [node = '', ...keys] = selector;
	const scope: ValuePath =
		node === containerOf(point)?.node.id ? ['loop'] : ['sys', 'env', 'conversation'].includes(node) ? [node] : ['outputs', node];
	let value: unknown = point.level.variables.all(node);
	for (const key of keys) {
		value = memberOf(value, key);
	}
	return value === undefined || keys.length === 0 ? undefined : [...scope, ...keys];
}
