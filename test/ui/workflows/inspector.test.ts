import { useWorkbench } from '../driver/session.ts';
import { testGraph } from './inspectorGraph.ts';
import { testTimeline } from './inspectorTimeline.ts';
import { manyNodesSettings } from './manyNodesAgent.ts';

describe('the inspector', () => {
	const session = useWorkbench({ settings: manyNodesSettings });

	describe('with the timeline of a run', () => testTimeline(session));
	// runs after the timeline, because new inspectors start with the graph once it was chosen
	describe('with the graph of a run', () => testGraph(session));
});
