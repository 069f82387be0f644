import { hasPrompt } from '#agentFile/nodeKinds/nodeKinds.ts';
import { fill } from '../../shared/fill.ts';
import type { FromGraph } from '../picture/graphProtocol.ts';
import type { GraphStrings } from '../picture/graphStrings.ts';
import type { DrawnNode } from '../picture/graphTypes.ts';
import type { GraphActions } from './graphActions.ts';
import type { PopupItem } from './popup.ts';

type Post = (message: FromGraph) => void;

/** Returns the items of a node's menu. */
export function createNodeMenu(
	{ id, title, kind }: DrawnNode,
	actions: GraphActions,
	words: GraphStrings,
	post: Post,
): readonly PopupItem[] {
	const createNodeItem = (label: string, icon: string, keys: string, action: Extract<FromGraph, { type: 'onNode' }>['action']) =>
		createItem(label, icon, keys, () => post({ type: 'onNode', action, node: id }));
	return [
		createItem(words.goToText, 'go-to-file', 'Enter', () => post({ type: 'reveal', node: id })),
		createNodeItem(words.runNode, 'play-circle', 'R', 'run'),
		createNodeItem(words.forkFromNode, 'repo-forked', '', 'forkFrom'),
		...(hasPrompt(kind) ? [createNodeItem(words.tryPrompt, 'beaker', '', 'prompt')] : []),
		createNodeItem(words.toggleBreakpoint, 'debug-breakpoint', 'F9', 'toggleBreakpoint'),
		createNodeItem(words.pinNode, 'pin', '', 'pin'),
		createNodeItem(words.unpinNode, 'pinned', '', 'unpin'),
		createItem(fill(words.addBehind, title), 'add', 'A', () => actions.addNodeAfterSelected()),
		createItem(words.connect, 'type-hierarchy-sub', 'C', () => actions.connectSelected()),
		createItem(words.disconnect, 'debug-disconnect', 'D', () => actions.disconnectSelected()),
		createItem(words.rename, 'edit', 'F2', () => actions.renameSelected()),
		createItem(words.duplicate, 'files', 'Ctrl+D', () => actions.duplicateSelected()),
		createItem(words.copy, 'copy', 'Ctrl+C', () => actions.copySelected(false)),
		createItem(words.cut, 'remove', 'Ctrl+X', () => actions.copySelected(true)),
		createItem(words.wrapIteration, 'list-ordered', '', () => actions.wrapSelected('iteration')),
		createItem(words.wrapLoop, 'sync', '', () => actions.wrapSelected('loop')),
		createItem(words.delete, 'trash', 'Del', () => actions.deleteSelected()),
	];
}

/** Returns the items that run or debug the agent. */
export function createRunItems(words: GraphStrings, post: Post): readonly PopupItem[] {
	return [
		createItem(words.runAgent, 'play', 'Ctrl+F5', () => post({ type: 'onAgent', action: 'run' })),
		createItem(words.debugAgent, 'debug-alt', 'F5', () => post({ type: 'onAgent', action: 'debug' })),
	];
}

export function createItem(label: string, icon: string, keys: string, act: () => void): PopupItem {
	return { label, icon, keys, act };
}
