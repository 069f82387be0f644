import type { Around } from '#engine/run/gate.ts';
import type { Standpoint } from './branches.ts';
import { nodeInputs } from './nodeInputs.ts';

/** Names available in expressions. */
export interface ExpressionValues {
	/** Outputs so far, by node ID. */
	readonly nodes: Readonly<Record<string, unknown>>;
	/** The inputs that the node would get. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** From the innermost surrounding iteration. */
	readonly item?: unknown;
	readonly index?: unknown;
	/** Variables of the innermost surrounding loop. */
	readonly loop?: unknown;
	readonly env: unknown;
	readonly conversation: unknown;
	readonly sys: unknown;
	readonly [name: string]: unknown;
}

/** Names that aren't nodes. */
export const special: ReadonlySet<string> = new Set(['sys', 'env', 'conversation']);

/** Returns the container whose iteration a level is; undefined for agents. */
export function containerOf({ level }: Pick<Standpoint, 'level'>): Around | undefined {
	return level.around?.round === undefined ? undefined : level.around;
}

/** Returns the IDs of nodes with outputs as seen from a position, without the surrounding containers, which aren't finished. */
export function nodesWithOutputs(point: Pick<Standpoint, 'level'>): readonly string[] {
	const around = new Set<string>();
	for (let container = containerOf(point); container; container = containerOf(container)) {
		around.add(container.node.id);
	}
	return point.level.variables.names().filter(name => !special.has(name) && !around.has(name));
}

/**
 * Returns the values available to expressions at a position, with secrets masked. Includes only those that the expressions may use, because
 * a run can have large values.
 * @param mask masks secrets
 */
export function expressionValues(expressions: readonly string[], point: Standpoint, mask: <T>(value: T) => T): ExpressionValues {
	const text = expressions.join('\n');
	const names = (name: string) => text.includes(name);
	const { variables } = point.level;
	// a computed property name can refer to any node
	const any = /\bnodes\b(?!\s*(\?\.)?\s*(\.\s*[\w$]+(?![\w$\\])|\[\s*("[^"\\]*"|'[^'\\]*'|`[^`\\$]*`)\s*\]))/.test(text);
	const ids = names('nodes') ? nodesWithOutputs(point).filter(id => any || names(id)) : [];
	const container = containerOf(point);
	const inside = container ? variables.all(container.node.id) : {};
	const kind = container?.node.type === 'loop' ? { loop: inside } : inside;
	return mask({
		nodes: Object.fromEntries(ids.map(id => [id, variables.all(id)])),
		inputs:
			names('inputs') && point.node ? Object.fromEntries(nodeInputs(point.node, variables).map(({ name, value }) => [name, value])) : {},
		...(container && kind),
		env: names('env') ? { ...variables.all('env'), ...hidden(point) } : {},
		conversation: names('conversation') ? variables.all('conversation') : {},
		sys: names('sys') ? variables.all('sys') : {},
	});
}

/** Returns placeholders for secrets by name, including short ones, which aren't masked within texts. */
export function hidden({ level }: Pick<Standpoint, 'level'>): Record<string, string> {
	return Object.fromEntries(level.run.agent.secretNames.map(name => [name, '***']));
}
