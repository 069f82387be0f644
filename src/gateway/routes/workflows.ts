import type * as z from 'zod';
import { hasGraph, isOneShotMode } from '#agentFile/appModes.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { runEventsQuerySchema } from '#contract/humanInput.ts';
import type { DraftRunRequest, WorkflowLogPage, WorkflowRunRequest, workflowLogsQuerySchema } from '#contract/workflows.ts';
import type { AgentRegistry, RunnableAgent } from '../agents/agentRegistry.ts';
import { createChatReader, type EndedReader } from '../chat/chatReader.ts';
import type { OpenRecordings } from '../recordings/openRecordings.ts';
import { createRecordedOrder } from '../runs/recordedOrder.ts';
import type { RunReplay } from '../runs/runReplay.ts';
import type { RunService } from '../runs/runService.ts';
import { EventStreamResponse } from '../server/eventStream.ts';
import type { Exchange } from '../server/exchange.ts';
import { createRoute, type Route } from '../server/route.ts';
import type { RunDetailRow } from '../store/runRows.ts';
import type { Store } from '../store/store.ts';
import { toRunDetail, toWorkflowLog } from './runViews.ts';
import { createStopRoute } from './stopRoute.ts';
import { sendStreamedReply } from './streamedReply.ts';

export interface AgentRouteParts {
	readonly agents: AgentRegistry;
	readonly runs: RunService;
	readonly store: Store;
}

export interface WorkflowRouteParts extends AgentRouteParts {
	readonly replay: RunReplay;
	readonly recordings: OpenRecordings;
}

/** Routes of contract A1 to A4, and those for runs of drafts and for recorded events of a run (not in the contract). */
export function createWorkflowRoutes({ agents, runs, replay, recordings, store }: WorkflowRouteParts): readonly Route[] {
	return [
		createRoute(endpoints.runWorkflow, async exchange => {
			const body = await exchange.readJson(endpoints.runWorkflow.body);
			await startRun(exchange, body, await agents.getPublishedVersion(body.model, recordings.isReplay(body.recording)));
		}),
		createRoute(endpoints.runDraft, async exchange => {
			const body = await exchange.readJson(endpoints.runDraft.body);
			await startRun(exchange, body, await agents.getDraft(body.model, body.source, recordings.isReplay(body.recording)), body);
		}),
		createRoute(endpoints.getRun, async exchange => {
			const { model } = exchange.readQuery(endpoints.getRun.query);
			const row = await getRunDetail(exchange, model);
			// only runs of drafts can be debugged
			exchange.sendJson(
				200,
				toRunDetail(row, row.version === null ? store.runs.getSetVariables(row.seq) : [], recordings.countKeptReplies(row.id)),
			);
		}),
		createRoute(endpoints.followRun, exchange => followEvents(exchange, true, async reader => reader)),
		createRoute(endpoints.followChatMessage, exchange =>
			followEvents(exchange, false, async (reader, row, whole) =>
				createChatReader(store.conversations, row, await agents.getTurnForm(row), reader, whole),
			),
		),
		createStopRoute(endpoints.stopRun, { agents, runs }),
		createRoute(endpoints.listLogs, async exchange => {
			const query = exchange.readQuery(endpoints.listLogs.query);
			const agent = await agents.getAgentRow(query.model);
			exchange.sendJson(200, await readLogPage(agent.id, query));
		}),
	];

	async function followEvents(
		exchange: Exchange,
		fromStart: boolean,
		readerOf: (reader: EndedReader, row: RunDetailRow, fromStart: boolean) => Promise<EndedReader>,
	): Promise<void> {
		const { model, user, include_state_snapshot, continue_on_pause } = exchange.readQuery(runEventsQuerySchema);
		const row = await getRunDetail(exchange, model);
		if (user !== undefined && user !== row.user) {
			throw createNotFoundError();
		}
		const stream = new EventStreamResponse(exchange);
		if (exchange.request.method === 'HEAD') {
			stream.endStream();
			return;
		}
		const order = { fromStart: include_state_snapshot ?? fromStart, acrossPauses: continue_on_pause ?? false };
		const reader = await readerOf(stream, row, order.fromStart);
		await replay.followRun(row, order, exchange.signal, reader);
		await reader.endStream();
	}

	async function getRunDetail(exchange: Exchange, model: string): Promise<RunDetailRow> {
		const agent = await agents.getAgentRow(model);
		const row = store.runs.getRunDetail(agent.id, exchange.params['id'] ?? '');
		if (!row) {
			throw createNotFoundError();
		}
		return row;
	}

	async function startRun(
		exchange: Exchange,
		body: WorkflowRunRequest,
		target: RunnableAgent,
		{ part, query, attack }: Pick<DraftRunRequest, 'part' | 'query' | 'attack'> = {},
	): Promise<void> {
		// completion apps can run like workflows, because the contract has no other operation for them
		if (part ? !hasGraph(target.agent.mode) : !isOneShotMode(target.agent.mode)) {
			throw new ServiceFault(400, 'Please check if your app mode matches the right API route.', { code: 'not_workflow_app' });
		}
		const { inputs, files = [], user, response_mode: mode, trigger, mocks, cache, recording } = body;
		const order = {
			target,
			inputs,
			files,
			user,
			mode,
			...(trigger !== undefined && { trigger }),
			...(mocks && { mocks }),
			...(attack && { attack }),
			...(cache !== undefined && { cache }),
			...(recording && { recording }),
		};
		const recorded =
			part && createRecordedOrder({ part, inputs, files: body.files, query }, target, store, row => replay.readRecordedEvents(row));
		using prepared = await runs.prepareRun({ ...order, ...recorded });
		if (mode === 'blocking') {
			const live = await prepared.start();
			const { data } = await live.done;
			exchange.sendJson(200, { workflow_run_id: live.id, task_id: live.taskId, data });
			return;
		}
		await sendStreamedReply(exchange, { task_id: prepared.taskId, message_id: prepared.id }, async send => {
			const live = await prepared.start((_event, json) => send(json));
			return { reply: live.done };
		});
	}

	async function readLogPage(agent: number, query: z.output<typeof workflowLogsQuerySchema>): Promise<WorkflowLogPage> {
		const { keyword, status, page, limit, created_at__after: after, created_at__before: before } = query;
		const offset = (page - 1) * limit;
		const isNarrowed = after !== undefined || before !== undefined;
		const span = isNarrowed ? store.runs.findRowSpan(parseTime(after), parseTime(before)) : undefined;
		if (keyword !== undefined && keyword !== '') {
			const found = await store.search.findRuns({ agent, keyword, status, span, offset, limit });
			return { page, limit, total: found.total, has_more: found.hasMore, data: store.runs.getRows(found.seqs).map(toWorkflowLog) };
		}
		const total = store.runs.countRuns(agent, status, span);
		const data = store.runs.getRunPage(agent, status, offset, limit, span).map(toWorkflowLog);
		return { page, limit, total, has_more: offset + data.length < total, data };
	}
}

function parseTime(text: string | undefined): number | undefined {
	return text === undefined ? undefined : Date.parse(text);
}

function createNotFoundError(): ServiceFault {
	return new ServiceFault(404, 'Workflow run not found.');
}
