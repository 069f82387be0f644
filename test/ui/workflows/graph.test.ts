import { useWorkbench } from '../driver/session.ts';
import { testAgentGraph, testGraphEditor, testGraphRun } from './agentGraph.ts';
import { testBuildSupport } from './buildSupport.ts';
import { testEmptyAgent } from './emptyAgent.ts';
import { testNodeForm } from './nodeForm.ts';

describe('agents as graphs', () => {
	const session = useWorkbench();

	describe('the form of a node', () => testNodeForm(session));
	describe('the graph of an agent file, next to its text', () => testAgentGraph(session));
	describe('a run in the graph of its agent file', () => testGraphRun(session));
	describe('the graph of an agent file, instead of its text', () => testGraphEditor(session));
	describe('the graph of an empty file', () => testEmptyAgent(session));
	describe('building an agent on its canvas', () => testBuildSupport(session));
});
