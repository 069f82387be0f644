import { hasGraph, isOneShotMode } from '#agentFile/appModes.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugRequest } from '#contract/debugging.ts';
import { debugKeyHeader } from '#contract/debugLimits.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunGate } from '#engine/run/gate.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import { ChatTurn } from '../chat/chatTurn.ts';
import type { DebugSessions } from '../debug/debugSessions.ts';
import type { OpenRecordings } from '../recordings/openRecordings.ts';
import type { LiveRun } from '../runs/liveRun.ts';
import { createRecordedOrder } from '../runs/recordedOrder.ts';
import type { RunReplay } from '../runs/runReplay.ts';
import type { StreamIds } from '../server/eventStream.ts';
import { createRoute, type Route } from '../server/route.ts';
import { sendStreamedReply } from './streamedReply.ts';
import type { AgentRouteParts } from './workflows.ts';

interface DebugRouteParts extends AgentRouteParts {
	readonly replay: RunReplay;
	readonly recordings: OpenRecordings;
	readonly debug: () => Promise<DebugSessions>;
}

/** A validated run that can be started. */
interface Prepared extends Disposable {
	readonly ids: StreamIds;
	start(send: (json: string) => void): Promise<{ readonly run: LiveRun; readonly reply: Promise<unknown> }>;
}

/** Routes for debugging runs of drafts, and for commands to the debugger (not in the contract). */
export function createDebugRoutes({ agents, runs, replay, recordings, store, debug }: DebugRouteParts): readonly Route[] {
	return [
		createRoute(endpoints.debugRun, async exchange => {
			const body = await exchange.readJson(endpoints.debugRun.body);
			// what is recorded needs no secrets
			const isReplay = body.recorded_run !== undefined || recordings.isReplay(body.recording);
			const target = await agents.getDraft(body.model, body.source, isReplay);
			using session = (await debug()).openSession(body, target.row.name);
			using prepared = await prepareRun(body, target, session.gate);
			await sendStreamedReply(exchange, prepared.ids, async send => {
				session.begin(send);
				const { run, reply } = await prepared.start(send);
				const stop = (why?: unknown) => run.controller.abort(why instanceof Error ? why : undefined);
				session.setStop(stop);
				exchange.signal.addEventListener('abort', () => stop());
				if (exchange.signal.aborted) {
					stop();
				}
				return { reply };
			});
		}),
		createRoute(endpoints.commandDebugger, async exchange => {
			const command = await exchange.readJson(endpoints.commandDebugger.body);
			const key = exchange.request.headers[debugKeyHeader];
			const sessions = await debug();
			exchange.sendJson(
				200,
				await sessions.executeCommand(exchange.params['session_id'] ?? '', typeof key === 'string' ? key : undefined, command),
			);
		}),
	];

	async function prepareRun(body: DebugRequest, target: RunnableAgent, gate: RunGate): Promise<Prepared> {
		const { inputs, files = [], user, trigger, query, conversation_id: conversation, mocks, recording, recorded_run: shown, part } = body;
		const mocked = { ...(mocks && { mocks }), ...(recording && { recording }) };
		if (!hasGraph(target.agent.mode)) {
			throw new ServiceFault(400, localizable`Can't debug this agent because it has no graph. Expected a workflow or a chatflow.`, {
				code: 'not_workflow_app',
			});
		}
		const isRecorded = shown !== undefined || part !== undefined;
		if (isRecorded || isOneShotMode(target.agent.mode)) {
			const recorded = isRecorded && { ...(part ? { part } : shown !== undefined && { shown }), inputs, files: body.files, query };
			const prepared = await runs.prepareRun({
				target,
				inputs,
				files,
				user,
				mode: 'streaming',
				...(trigger !== undefined && { trigger }),
				gate,
				...mocked,
				...(recorded && createRecordedOrder(recorded, target, store, row => replay.readRecordedEvents(row))),
			});
			return {
				ids: { task_id: prepared.taskId, message_id: prepared.id },
				start: async send => {
					const run = await prepared.start((_event, json) => send(json));
					return { run, reply: run.done };
				},
				[Symbol.dispose]: () => prepared[Symbol.dispose](),
			};
		}
		if (query === undefined) {
			throw new ServiceFault(400, 'Arg query must be provided.', { params: 'query' });
		}
		const turn = {
			model: body.model,
			query,
			inputs,
			files,
			user,
			response_mode: 'streaming' as const,
			...(conversation && { conversation_id: conversation }),
			...mocked,
		};
		return ChatTurn.prepareTurn(store.conversations, runs, target, turn, { gate });
	}
}
