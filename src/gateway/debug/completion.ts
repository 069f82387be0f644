import type { DebugAnswers } from '#contract/debugAnswers.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';
import type { PausePoint } from './branches.ts';
import { getContainer, getNodesWithOutputs, special } from './expressionValues.ts';

type Item = DebugAnswers['complete']['items'][number];

/** Maximum number of items. */
const mostItems = 200;

/**
 * Returns completions at a position in an expression.
 * @param column number of characters before the cursor
 */
export function getCompletions(text: string, column: number, point: PausePoint): readonly Item[] {
	const before = text.slice(0, column);
	const addOffset = (items: readonly Item[]) => items.map(item => ({ ...item, start: before.length + item.start }));
	const [, reference] = /\{\{#([^#{}]*)$/.exec(before) ?? [];
	if (reference !== undefined) {
		return addOffset(findMembers(reference, point, getVariableRoots(point)));
	}
	const [, path = ''] = /(?<![\w$.-])[.-]*([\w$][\w$.-]*)$/.exec(before) ?? [];
	const inNodes = /^nodes\.(.*)$/.exec(path)?.[1];
	return addOffset(
		inNodes === undefined
			? findMembers(path, point, [...getVariableRoots(point), ...getJavaScriptNames(point).filter(name => !special.has(name))])
			: findMembers(inNodes, point, getNodesWithOutputs(point)),
	);
}

/** Returns completions for a dotted path, or completions among `roots` if there is no dot. `start` is relative to the cursor. */
function findMembers(path: string, { level }: PausePoint, roots: readonly string[]): readonly Item[] {
	const dot = path.lastIndexOf('.');
	const written = path.slice(dot + 1);
	const [node, ...keys] = dot < 0 ? [] : path.slice(0, dot).split('.');
	const whole =
		node === undefined ? undefined : keys.length === 0 ? level.variables.getAllValues(node) : level.variables.get([node, ...keys]);
	const found = node === undefined ? roots : isObjectValue(whole) ? Object.keys(whole) : [];
	return found
		.filter(name => name.toLowerCase().startsWith(written.toLowerCase()))
		.slice(0, mostItems)
		.map(label => {
			const title = node === undefined ? level.graph.nodes.get(label)?.title : undefined;
			return { label, ...(title && { detail: title }), start: -written.length, length: written.length };
		});
}

function getVariableRoots(point: PausePoint): readonly string[] {
	const container = getContainer(point);
	return [...getNodesWithOutputs(point), ...(container ? [container.node.id] : []), ...special];
}

/** Returns the names available in JavaScript. */
function getJavaScriptNames(point: PausePoint): readonly string[] {
	const container = getContainer(point);
	return ['nodes', 'inputs', ...special, ...(container ? (container.node.type === 'loop' ? ['loop'] : ['item', 'index']) : [])];
}
