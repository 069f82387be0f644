import type { DifyManagement, ManagedRun, ManagedRunDetail } from '#client/dify/management.ts';
import { managementOperations } from '#client/dify/management.ts';
import type { ChatEvent } from '#contract/chat.ts';
import type { NodeResultData, WorkflowEvent } from '#contract/events.ts';
import type { HumanInputForm } from '#contract/humanInput.ts';

/** An app file with a start node with two variables, and a node after it. */
export const playedAppText = JSON.stringify({
	kind: 'app',
	version: '0.6.0',
	app: { name: 'Tea', mode: 'workflow' },
	workflow: {
		graph: {
			nodes: [
				{
					id: 'start',
					data: {
						type: 'start',
						title: 'Start',
						variables: [
							{ variable: 'topic', label: 'Topic', type: 'text-input', required: true },
							{ variable: 'note', label: 'Note', type: 'paragraph', required: false },
						],
					},
				},
				{
					id: 'write',
					data: {
						type: 'template-transform',
						title: 'Write',
						template: '{{ t }}',
						variables: [{ variable: 't', value_selector: ['start', 'topic'] }],
					},
				},
			],
			edges: [{ source: 'start', target: 'write' }],
		},
	},
});

/** Creates a node execution for a trace. */
export function createNodeResult(id: string, fields: Partial<NodeResultData> = {}): NodeResultData {
	return {
		id: `x-${id}`,
		node_id: id,
		node_type: 'template-transform',
		title: id,
		index: 1,
		predecessor_node_id: null,
		inputs: {},
		process_data: null,
		outputs: { output: `of ${id}` },
		status: 'succeeded',
		error: null,
		elapsed_time: 0.5,
		execution_metadata: null,
		created_at: 1,
		finished_at: 2,
		...fields,
	};
}

const managed: ManagedRun = {
	id: 'run-1',
	status: 'succeeded',
	elapsedSeconds: 1.5,
	totalTokens: 7,
	totalSteps: 2,
	createdAt: 1,
	finishedAt: 3,
	by: 'Ana',
	version: 'draft',
	error: undefined,
};

/** Creates a run as a deployment's management returns it. */
export function createManagedRun(fields: Partial<ManagedRunDetail> = {}): ManagedRunDetail {
	return { ...managed, inputs: { topic: 'tea', 'sys.user_id': 'u' }, outputs: { text: 'done' }, graph: undefined, ...fields };
}

/** Fake management of a deployment; rejects operations that the test doesn't define. */
export class PlayedManagement {
	readonly calls: unknown[][] = [];
	offers = new Set<string>(managementOperations);
	version = '1.18.0';
	stream: (signal: AbortSignal | undefined) => AsyncIterable<WorkflowEvent> = () => {
		throw new Error('no stream');
	};
	chat: () => AsyncIterable<ChatEvent> = () => {
		throw new Error('no chat');
	};
	follow: () => AsyncIterable<WorkflowEvent> = () => {
		throw new Error('no events');
	};
	node: () => Promise<NodeResultData> = () => Promise.reject(new Error('no node'));
	detail: (runId: string) => Promise<ManagedRunDetail> = () => Promise.reject(new Error('no run'));
	nodes: () => Promise<readonly NodeResultData[]> = async () => [];
	list: (query: { triggeredFrom?: string; lastId?: string }) => { runs: readonly ManagedRun[]; hasMore: boolean } = () => ({
		runs: [],
		hasMore: false,
	});
	stop: () => Promise<void> = async () => {};
	submit: () => Promise<void> = async () => {};
	text = playedAppText;

	/** The management that the editor uses. */
	get management(): DifyManagement {
		const recordCall = <T>(name: string, args: readonly unknown[], answer: () => T): T => {
			this.calls.push([name, ...args]);
			return answer();
		};
		const played: Partial<DifyManagement> = {
			deployment: { origin: 'https://dify.test', generation: 'openapi-1.18', version: this.version, edition: undefined, signIns: [] },
			offers: this.offers as DifyManagement['offers'],
			workspaceId: 'w',
			exportApp: async app => recordCall('exportApp', [app], () => ({ text: this.text, draftHash: undefined })),
			streamDraft: (app, request, options) =>
				recordCall('streamDraft', [app, request], () => iterateEvents(this.stream(options?.signal ?? undefined))),
			streamDraftChat: (app, request) => recordCall('streamDraftChat', [app, request], () => iterateEvents(this.chat())),
			runNode: (app, node, request) => recordCall('runNode', [app, node, request], () => this.node()),
			stopDraft: (app, task) => recordCall('stopDraft', [app, task], () => this.stop()),
			runs: async (app, query = {}) => recordCall('runs', [app.id, query], () => this.list(query)),
			run: (app, run) => recordCall('run', [app, run], () => this.detail(run)),
			runNodes: (app, run) => recordCall('runNodes', [app, run], () => this.nodes()),
			getForm: async () => ({}) as HumanInputForm,
			submitForm: (app, token, answer) => recordCall('submitForm', [app, token, answer], () => this.submit()),
			followRun: (app, run) => recordCall('followRun', [app, run], () => iterateEvents(this.follow())),
		};
		return played as DifyManagement;
	}
}

async function* iterateEvents<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
	yield* events;
}
