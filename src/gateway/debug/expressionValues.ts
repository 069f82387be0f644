import type { Around } from '#engine/run/gate.ts';
import type { Standpoint } from './branches.ts';
import { nodeInputs } from './nodeInputs.ts';

/** What expressions can name. */
export interface ExpressionValues {
	/** Outputs so far, by node ID. */
	readonly nodes: Readonly<Record<string, unknown>>;
	/** What the node would get. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** Of the innermost iteration around. */
	readonly item?: unknown;
	readonly index?: unknown;
	/** Variables of the innermost loop around. */
	readonly loop?: unknown;
	readonly env: unknown;
	readonly conversation: unknown;
	readonly sys: unknown;
	readonly [name: string]: unknown;
}

/** Names that are no nodes. */
export const special: ReadonlySet<string> = new Set(['sys', 'env', 'conversation']);

/** The container that a level is a round of, and no agent. */
export function containerOf({ level }: Pick<Standpoint, 'level'>): Around | undefined {
	return level.around?.round === undefined ? undefined : level.around;
}

/** IDs of nodes that have put something out, as seen from a place; containers around have not yet. */
export function nodesWithOutputs(point: Pick<Standpoint, 'level'>): readonly string[] {
	const around = new Set<string>();
	for (let container = containerOf(point); container; container = containerOf(container)) {
		around.add(container.node.id);
	}
	return point.level.variables.names().filter(name => !special.has(name) && !around.has(name));
}

/**
 * What expressions at a place can name, secrets masked. Only what their text can mean is taken, for a run can hold much.
 * @param mask takes the secrets out
 */
export function expressionValues(expressions: readonly string[], point: Standpoint, mask: <T>(value: T) => T): ExpressionValues {
	const text = expressions.join('\n');
	const names = (name: string) => text.includes(name);
	const { variables } = point.level;
	// a name that is put together while it runs can be any
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

/** Secrets by their names: short ones too, which texts are not searched for. */
export function hidden({ level }: Pick<Standpoint, 'level'>): Record<string, string> {
	return Object.fromEntries(level.run.agent.secretNames.map(name => [name, '***']));
}
