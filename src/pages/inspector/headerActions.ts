import type { InspectorAction, InspectorHead } from './inspectorMessages.ts';

/** Actions of the header in the order in which they are offered. */
const ordered: readonly InspectorAction[] = [
	'stop',
	'runAgain',
	'ask',
	'compareWithParent',
	'compare',
	'debugRecorded',
	'addToSuite',
	'addToDataset',
	'saveAsRunFile',
	'saveOutputs',
	'copyAsCurl',
	'open',
];
/** Number of labeled buttons, in addition to the one for the graph. */
const labeled = 2;

/**
 * Divides a run's actions into the ones with labeled buttons, which are the most used in the state of the run, and the others in the menu.
 * Runs that were repeated are compared first, unless the last one failed. A fork is compared with its parent.
 */
export function divideActions({ actions, status, chain }: Pick<InspectorHead, 'actions' | 'status' | 'chain'>): {
	readonly main: readonly InspectorAction[];
	readonly more: readonly InspectorAction[];
} {
	const isRepeated = chain !== undefined && chain.count > 1 && status !== 'failed';
	const order: readonly InspectorAction[] = isRepeated ? ['stop', 'runAgain', 'compareWithParent', 'compare', ...ordered] : ordered;
	const offered = [...new Set(order)].filter(action => actions.includes(action));
	return { main: offered.slice(0, labeled), more: offered.slice(labeled) };
}
