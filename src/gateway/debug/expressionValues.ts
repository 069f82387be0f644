import type { EnclosingNode } from '#engine/run/gate.ts';
import type { PausePoint } from './branches.ts';
import { getNodeInputs } from './nodeInputs.ts';

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
export function getContainer({ level }: Pick<PausePoint, 'level'>): EnclosingNode | undefined {
	return level.around?.round === undefined ? undefined : level.around;
}

/** Returns the IDs of nodes with outputs as seen from a position, without the surrounding containers, which aren't finished. */
export function getNodesWithOutputs(point: Pick<PausePoint, 'level'>): readonly string[] {
	const around = new Set<string>();
	for (let container = getContainer(point); container; container = getContainer(container)) {
		around.add(container.node.id);
	}
	return point.level.variables.listNodeIds().filter(name => !special.has(name) && !around.has(name));
}

/**
 * Returns the values available to expressions at a position, with secrets masked. Includes only those that the expressions may use, because
 * a run can have large values.
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

/** Returns placeholders for secrets by name, including short ones, which aren't masked within texts. */
export function getHiddenSecrets({ level }: Pick<PausePoint, 'level'>): Record<string, string> {
	return Object.fromEntries(level.run.agent.secretNames.map(name => [name, '***']));
}
