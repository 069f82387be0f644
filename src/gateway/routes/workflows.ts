import * as z from 'zod';
import { stopRequestSchema, type WorkflowLogPage, workflowLogsQuerySchema, workflowRunRequestSchema } from '../../protocol/workflows.ts';
import type { AgentRegistry, RunnableAgent } from '../agents/agentRegistry.ts';
import type { RunService } from '../runs/runService.ts';
import { EventStream } from '../server/eventStream.ts';
import type { Exchange } from '../server/exchange.ts';
import type { Route } from '../server/route.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import type { RunDetailRow } from '../store/runStore.ts';
import type { Store } from '../store/store.ts';
import { logOf, runDetailOf } from './runViews.ts';

/** What the workflow routes need. */
export interface WorkflowRouteParts {
	readonly agents: AgentRegistry;
	readonly runs: RunService;
	readonly store: Store;
}

/** Body of a draft run (beyond the contract): that of A1, and `source`, a text to run in place of the agent's file as it was saved. */
export const draftRunRequestSchema = workflowRunRequestSchema.extend({ source: z.string().optional() });
type DraftRunRequest = z.infer<typeof draftRunRequestSchema>;

/** Query of A2 and of a run's events. */
export const runDetailQuerySchema = z.object({ model: z.string().min(1) });

/** A1 to A4; runs of drafts and the events of a run from the store (beyond the contract). */
export function workflowRoutes({ agents, runs, store }: WorkflowRouteParts): readonly Route[] {
	return [
		{
			method: 'POST',
			path: '/v1/agent/workflows/run',
			group: 'agent',
			async handle(exchange) {
				const body = await exchange.json(workflowRunRequestSchema);
				await run(exchange, body, await agents.published(body.model));
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/workflows/draft/run',
			group: 'agent',
			async handle(exchange) {
				const body = await exchange.json(draftRunRequestSchema);
				await run(exchange, body, await agents.draft(body.model, body.source));
			},
		},
		{
			method: 'GET',
			path: '/v1/agent/workflows/run/{id}',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, runDetailOf(await detail(exchange)));
			},
		},
		{
			method: 'GET',
			path: '/v1/agent/workflows/run/{id}/events',
			group: 'agent',
			async handle(exchange) {
				const row = await detail(exchange);
				const stream = new EventStream(exchange);
				await runs.follow(row, exchange.signal, json => stream.send(json));
				stream.end();
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/workflows/tasks/{task}/stop',
			group: 'agent',
			async handle(exchange) {
				const { model, user } = await exchange.json(stopRequestSchema);
				const agent = await agents.known(model);
				runs.stop(agent.id, exchange.params['task'] ?? '', user);
				exchange.sendJson(200, { result: 'success' });
			},
		},
		{
			method: 'GET',
			path: '/v1/agent/workflows/logs',
			group: 'agent',
			async handle(exchange) {
				const { model, keyword, status, page, limit } = exchange.checkedQuery(workflowLogsQuerySchema);
				const agent = await agents.known(model);
				exchange.sendJson(200, logPage(agent.id, keyword, status, page, limit));
			},
		},
	];

	async function detail(exchange: Exchange): Promise<RunDetailRow> {
		const { model } = exchange.checkedQuery(runDetailQuerySchema);
		const agent = await agents.known(model);
		const row = store.runs.detail(agent.id, exchange.params['id'] ?? '');
		if (!row) {
			throw new ServiceFault(404, 'Workflow run not found.');
		}
		return row;
	}

	async function run(exchange: Exchange, body: DraftRunRequest, target: RunnableAgent): Promise<void> {
		if (target.agent.mode !== 'workflow') {
			throw new ServiceFault(400, 'Please check if your app mode matches the right API route.', { code: 'not_workflow_app' });
		}
		const { inputs, files = [], user, response_mode: mode } = body;
		const prepared = await runs.prepare({ target, inputs, files, user, mode });
		if (mode === 'blocking') {
			const live = await prepared.start();
			const { data } = await live.done;
			exchange.sendJson(200, { workflow_run_id: live.id, task_id: live.taskId, data });
			return;
		}
		const stream = new EventStream(exchange);
		try {
			const live = await prepared.start((_event, json) => stream.send(json));
			await live.done.catch(() => {});
			stream.end();
		} catch (error) {
			stream.fail(error);
			throw error;
		}
	}

	function logPage(agent: number, keyword: string | undefined, status: string | undefined, page: number, limit: number): WorkflowLogPage {
		const offset = (page - 1) * limit;
		if (keyword !== undefined && keyword !== '') {
			const found = store.search.find(agent, keyword, status, offset, limit);
			return { page, limit, total: found.total, has_more: found.hasMore, data: store.runs.rows(found.seqs).map(logOf) };
		}
		const total = store.runs.count(agent, status);
		const data = store.runs.page(agent, status, offset, limit).map(logOf);
		return { page, limit, total, has_more: offset + data.length < total, data };
	}
}
