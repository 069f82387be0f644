import { useWorkbench } from '../driver/session.ts';
import { testGraph } from './inspectorGraph.ts';
import { testTimeline } from './inspectorTimeline.ts';
import { manyNodesSettings } from './manyNodesAgent.ts';

describe('the inspector', () => {
	const session = useWorkbench({ settings: manyNodesSettings });

	describe('of a run', () => testTimeline(session));
	// after the timeline: once the graph was chosen, new inspectors begin with it
	describe('with the graph of a run', () => testGraph(session));
});
