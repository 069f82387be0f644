import type { WorkflowEvent } from '#contract/events.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { DocumentReader } from '#engine/documents/documentReader.ts';
import { Templates } from '#engine/jinja/templates.ts';
import type { EngineServices, ModelPart, ModelRequest, RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import { runWorkflow } from '#engine/run/run.ts';
import { Turns } from '#engine/run/turns.ts';

/** A node of a test's agent. Fields that the file format requires are added. */
export interface TestNode {
	readonly id: string;
	readonly parentId?: string;
	readonly data: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** `a > b`, or `a [handle] > b`. */
export type TestEdge = string;

/** Creates the text of an agent with a few nodes and edges, as JSON, which is valid YAML. */
export function createAgentText(
	nodes: readonly TestNode[],
	edges: readonly TestEdge[],
	extra: { readonly mode?: string; readonly workflow?: object } = {},
): string {
	return JSON.stringify({
		version: '0.6.0',
		kind: 'app',
		app: { name: 'test', mode: extra.mode ?? 'workflow', description: '' },
		workflow: {
			graph: {
				nodes: nodes.map(node => ({ type: 'custom', ...node })),
				edges: edges.map(edge => {
					const [, source, handle, target] = /^(\S+)(?: \[(.+)\])? > (\S+)$/.exec(edge) as unknown as string[];
					return { source, target, sourceHandle: handle ?? 'source' };
				}),
			},
			...extra.workflow,
		},
	});
}

export function createTestAgent(...parts: Parameters<typeof createAgentText>): LoadedAgent {
	return loadAgent(createAgentText(...parts), 'test.yml');
}

export const createStartNode = (...names: string[]): TestNode => ({
	id: 'start',
	data: { type: 'start', variables: names.map(variable => ({ variable, type: 'paragraph', label: variable, required: false })) },
});

/** Creates an end node. `outputs`: selectors, joined with dots, by output name. */
export const createEndNode = (outputs: Readonly<Record<string, string>>, id = 'end'): TestNode => ({
	id,
	data: {
		type: 'end',
		outputs: Object.entries(outputs).map(([variable, selector]) => ({ variable, value_selector: selector.split('.') })),
	},
});

export const createTemplateNode = (id: string, template: string, variables: Readonly<Record<string, string>> = {}): TestNode => ({
	id,
	data: {
		type: 'template-transform',
		template,
		variables: Object.entries(variables).map(([variable, selector]) => ({ variable, value_selector: selector.split('.') })),
	},
});

/** Creates services with a model whose replies the test defines. */
export function createTestServices(
	reply: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart> = () => {
		throw new Error('no model in this test');
	},
	settings: Partial<EngineServices['settings']> = {},
): EngineServices {
	return {
		models: { streamReply: reply },
		settings: { allowPrivateNetwork: false, network: {}, ...settings },
		code: new CodeRunner(),
		templates: new Templates(),
		documents: new DocumentReader(),
		turns: new Turns(),
		files: {
			describeUpload: () => undefined,
			readUpload: () => Promise.reject(new Error('no files in this test')),
			add: () => Promise.reject(new Error('no files in this test')),
		},
	};
}

export interface TestRun extends RunOutcome {
	readonly events: readonly WorkflowEvent[];
	/** Events as lines: `node_started start`, `text_chunk "Hello"`, … */
	readonly trace: readonly string[];
}

export async function runTestAgent(
	agent: LoadedAgent,
	options: Partial<RunOptions> = {},
	services: EngineServices = createTestServices(),
): Promise<TestRun> {
	const events: WorkflowEvent[] = [];
	try {
		const outcome = await runWorkflow(
			agent,
			{
				runId: 'run',
				taskId: 'task',
				workflowId: 'workflow',
				appId: 'app',
				sequenceNumber: 1,
				inputs: {},
				files: [],
				user: 'ana',
				signal: new AbortController().signal,
				...options,
				emit: event => {
					events.push(event);
					options.emit?.(event);
				},
			},
			services,
		);
		return { ...outcome, events, trace: events.map(formatTraceLine) };
	} finally {
		await services.code.close();
		await services.templates.close();
		await services.documents.close();
	}
}

function formatTraceLine(event: WorkflowEvent): string {
	const data = ('data' in event ? event.data : {}) as Record<string, unknown>;
	switch (event.event) {
		case 'text_chunk':
			return `text_chunk ${JSON.stringify(data['text'])}`;
		case 'workflow_started':
			return event.event;
		case 'node_finished':
		case 'workflow_finished':
			return `${event.event} ${data['node_id'] ?? ''} ${data['status']}`.replace('  ', ' ');
		default:
			return `${event.event} ${data['node_id']}`;
	}
}
