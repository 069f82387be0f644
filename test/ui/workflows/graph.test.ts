import { useWorkbench } from '../driver/session.ts';
import { testAgentGraph, testGraphEditor, testGraphRun } from './agentGraph.ts';
import { testBuildSupport } from './buildSupport.ts';
import { testEmptyAgent } from './emptyAgent.ts';
import { testNodeForm } from './nodeForm.ts';

describe('agents as graphs', () => {
	const session = useWorkbench();

	describe('the form of a node', () => testNodeForm(session));
	describe('the graph of an agent file, beside its text', () => testAgentGraph(session));
	describe('a run over the graph of an agent file', () => testGraphRun(session));
	describe('the graph of an agent file, in the place of its text', () => testGraphEditor(session));
	describe('a file that holds nothing yet, as a graph', () => testEmptyAgent(session));
	describe('an agent that is built on its canvas', () => testBuildSupport(session));
});
