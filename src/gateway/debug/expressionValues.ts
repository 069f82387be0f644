import type { EnclosingNode } from '#engine/run/gate.ts';
import type { PausePoint } from './branches.ts';
import { getNodeInputs } from './nodeInputs.ts';

/** Names available in expressions. */
export interface ExpressionValues {
	/** Outputs so far, by node ID. */
	readonly nodes: Readonly<Record<string, unknown>>;
	/** The inputs that the node would get. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** Item of the innermost surrounding iteration. */
	readonly item?: unknown;
	readonly index?: unknown;
	/** Variables of the innermost surrounding loop. */
	readonly loop?: unknown;
	readonly env: unknown;
	readonly conversation: unknown;
	readonly sys: unknown;
	readonly [name: string]: unknown;
}

/** Names in references that aren't node IDs. */
export const special: ReadonlySet<string> = new Set(['sys', 'env', 'conversation']);

/** Returns the container that a level is an iteration of; undefined for agents. */
export function getContainer({ level }: Pick<PausePoint, 'level'>): EnclosingNode | undefined {
	return level.around?.round === undefined ? undefined : level.around;
}

/** Returns the IDs of nodes whose outputs are visible at a position. Excludes the surrounding containers, because they haven't finished. */
export function getNodesWithOutputs(point: Pick<PausePoint, 'level'>): readonly string[] {
	const around = new Set<string>();
	for (let container = getContainer(point); container; container = getContainer(container)) {
		around.add(container.node.id);
	}
	return point.level.variables.listNodeIds().filter(name => !special.has(name) && !around.has(name));
}

/**
 * Returns the values that expressions can use at a position, with secrets masked. Only includes values that the expressions may use,
 * because a run can have large ones.
 * @param mask masks secrets
 */
export function getExpressionValues(expressions: readonly string[], point: PausePoint, mask: <T>(value: T) => T): ExpressionValues {
	const text = expressions.join('\n');
	const isMentioned = (name: string) => text.includes(name);
	const { variables } = point.level;
	// a computed property name can refer to any node
	const any = /\bnodes\b(?!\s*(\?\.)?\s*(\.\s*[\w$]+(?![\w$\\])|\[\s*("[^"\\]*"|'[^'\\]*'|`[^`\\$]*`)\s*\]))/.test(text);
	const ids = isMentioned('nodes') ? getNodesWithOutputs(point).filter(id => any || isMentioned(id)) : [];
	const container = getContainer(point);
	const inside = container ? variables.getAllValues(container.node.id) : {};
	const kind = container?.node.type === 'loop' ? { loop: inside } : inside;
	return mask({
		nodes: Object.fromEntries(ids.map(id => [id, variables.getAllValues(id)])),
		inputs:
			isMentioned('inputs') && point.node
				? Object.fromEntries(getNodeInputs(point.node, variables).map(({ name, value }) => [name, value]))
				: {},
		...(container && kind),
		env: isMentioned('env') ? { ...variables.getAllValues('env'), ...getHiddenSecrets(point) } : {},
		conversation: isMentioned('conversation') ? variables.getAllValues('conversation') : {},
		sys: isMentioned('sys') ? variables.getAllValues('sys') : {},
	});
}

/** Returns placeholders for secrets, by name. Includes short secrets, which aren't masked within texts. */
export function getHiddenSecrets({ level }: Pick<PausePoint, 'level'>): Record<string, string> {
	return Object.fromEntries(level.run.agent.secretNames.map(name => [name, '***']));
}
