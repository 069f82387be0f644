import assert from 'node:assert/strict';
import { divideActions } from '#pages/inspector/headerActions.ts';
import type { InspectorAction, InspectorHead } from '#pages/inspector/inspectorMessages.ts';

const actions: readonly InspectorAction[] = [
	'runAgain',
	'compare',
	'saveOutputs',
	'copyAsCurl',
	'saveAsRunFile',
	'addToSuite',
	'addToDataset',
	'open',
	'ask',
];

/** Returns the actions with labeled buttons. */
function getLabeled(head: Partial<InspectorHead>): readonly InspectorAction[] {
	return divideActions({ actions, status: 'succeeded', ...head } as InspectorHead).main;
}

describe('actions in the header of the inspector', () => {
	it('are the ones for the state of the run', () => {
		assert.deepEqual(getLabeled({ actions: ['ask', 'open', 'stop'], status: 'running' }), ['stop', 'ask']);
		assert.deepEqual(getLabeled({ status: 'failed', chain: { place: 2, count: 2 } }), ['runAgain', 'ask']);
		assert.deepEqual(getLabeled({}), ['runAgain', 'ask']);
		assert.deepEqual(getLabeled({ chain: { place: 2, count: 2 } }), ['runAgain', 'compare']);
	});

	it('are all offered exactly once, and only if the run has them', () => {
		const { main, more } = divideActions({ actions, status: 'failed' });
		assert.deepEqual([...main, ...more].toSorted(), actions.toSorted());
		assert.deepEqual(divideActions({ actions: ['open'], status: 'failed' }), { main: ['open'], more: [] });
	});
});
