import type { WordRules } from '#agentFile/modelConfigSchema.ts';
import { getSecondsSince } from '#base/timing/secondsSince.ts';
import type { RunData } from '#contract/workflows.ts';
import type { LoadedAgent } from '../agentFile/agentTypes.ts';
import { AnswerGuard, findPresetAnswer, readWordRules } from '../modelApps/wordRules.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { RoundEnd } from '../nodes/nodeType.ts';
import { getStartOutputs, type StartSettings } from '../nodes/start.ts';
import { executeAttacked, plantSecrets } from '../standIns/attackedNodes.ts';
import { createModelHold, executeWithServices } from '../standIns/heldModels.ts';
import { executeMocks } from '../standIns/mockedNodes.ts';
import { executeRecorded } from '../standIns/recordedNodes.ts';
import { executeReplay } from '../standIns/replayedNodes.ts';
import { toPlainText } from '../variables/textForms.ts';
import { addSystemPrefix, VariablePool } from '../variables/variables.ts';
import { checkPausedWeight } from '../variables/weight.ts';
import type { EngineServices, RunOptions, RunOutcome } from './engineTypes.ts';
import { findRoot } from './inputs.ts';
import { GraphRun } from './level/graphRun.ts';
import { limitOutputs } from './limitOutputs.ts';
import type { FormAnswer, PausedRun } from './pausedRun.ts';
import { RunEvents } from './runEvents.ts';
import { createRunFiles } from './runFiles.ts';
import { RunScheduler } from './runScheduler.ts';
import type { Execute, RunState } from './runState.ts';

/**
 * Runs an agent once, as the hosted service would. Never rejects for a failure of the agent: the outcome says how the run ended. A run
 * that exceeds its limits ends with status `stopped`.
 */
export function runWorkflow(agent: LoadedAgent, options: RunOptions, services: EngineServices): Promise<RunOutcome> {
	return runAgent(agent, options, services, runNode);
}

/**
 * Resumes a paused run: nodes with submitted forms continue, others keep waiting.
 * @param options those of the run, with a new signal and `emit`
 * @param answers by node ID
 */
export function resumeWorkflow(
	agent: LoadedAgent,
	options: RunOptions,
	services: EngineServices,
	paused: PausedRun,
	answers: Readonly<Record<string, FormAnswer>>,
): Promise<RunOutcome> {
	return runAgent(agent, options, services, runNode, { paused, answers });
}

/** Runs a node according to its type. @throws {NodeError} if the type is unknown */
export const runNode: Execute = limitOutputs(context => {
	const { nodeType, type } = context.node;
	if (!nodeType) {
		throw new NodeError(`Nodes of type '${type}' aren't available here. Run the agent on its Dify server.`, 'NodeTypeError');
	}
	return nodeType.run(context);
});

/** Like {@link runWorkflow}, but runs nodes with `execute`, for tests that replay recorded results. */
export async function runAgent(
	given: LoadedAgent,
	options: RunOptions,
	services: EngineServices,
	execute: Execute,
	resumption?: { readonly paused: PausedRun; readonly answers: Readonly<Record<string, FormAnswer>> },
): Promise<RunOutcome> {
	const started = performance.now();
	const agent = options.attack ? plantSecrets(given, options.attack) : given;
	const before = resumption?.paused;
	const createdAt = before?.createdAt ?? Math.floor(Date.now() / 1000);
	const root = findRoot(agent.graph, before?.root ?? options.root);
	const scheduler = new RunScheduler(services.settings, options.signal, services.turns, before?.allSteps ?? 0);
	const events = new RunEvents(options, { secrets: options.attack ? [] : agent.secrets, lastIndex: before?.lastIndex ?? 0 });
	const rules = agent.mode === 'advanced-chat' && !options.alone ? readWordRules(agent.features) : undefined;
	const guard = AnswerGuard.create(rules, scheduler.signal);
	const sendText: RunState['sendText'] = (text, selector) => {
		const isWithin = scheduler.countText(text);
		const send = () => events.emitTextChunk(text, selector);
		if (isWithin && guard) {
			guard.passChunk(text, send);
		} else if (isWithin) {
			send();
		}
		return isWithin;
	};
	const state: RunState = {
		agent,
		options,
		services,
		execute: addStandIns(agent, options, services, execute),
		events,
		scheduler,
		answers: resumption?.answers ?? {},
		steps: before?.steps ?? 0,
		exceptions: before?.exceptions ?? 0,
		tokens: before?.tokens ?? 0,
		rewritten: false,
		citations: [...(before?.citations ?? [])],
		sendText,
	};
	const variables = createRootVariables(agent, options, services, createdAt);
	if (options.alone) {
		for (const [node, values] of Object.entries(options.alone)) {
			variables.addValues(node, values);
		}
	} else {
		variables.setStartNode(root.id);
		// known from the start, for text that shows them
		variables.setAllValues(root.id, getStartOutputs(root.settings as StartSettings, options, services));
	}
	for (const [node, values] of Object.entries(before?.variables ?? {})) {
		variables.setAllValues(node, values);
	}
	state.events.emitWorkflowStarted(
		{ ...options.inputs, ...addSystemPrefix(variables.getAllValues('sys')) },
		createdAt,
		before ? 'resumption' : 'initial',
	);

	const graphRun = new GraphRun(
		agent.graph,
		root,
		state,
		variables,
		guard ? AbortSignal.any([scheduler.signal, guard.flagged]) : scheduler.signal,
	);
	const walked = limitPause(
		await runModeratedGraph(state, graphRun, before, rules, guard).finally(() => scheduler.close()),
		graphRun,
		variables,
	);
	const end = options.alone && walked.status === 'succeeded' ? { ...walked, outputs: variables.getAllValues(root.id) } : walked;

	const status = end.status === 'succeeded' && state.exceptions > 0 ? 'partial-succeeded' : end.status;
	const data: RunData = {
		id: options.runId,
		workflow_id: options.workflowId,
		status,
		outputs: end.status === 'succeeded' || end.status === 'paused' ? end.outputs : {},
		error: state.events.redactSecrets(end.error?.message ?? null),
		elapsed_time: (before?.elapsed ?? 0) + getSecondsSince(started),
		total_tokens: state.tokens,
		total_steps: state.steps,
		created_by: { id: options.user, user: options.user },
		created_at: createdAt,
		finished_at: end.status === 'paused' ? null : Math.floor(Date.now() / 1000),
		exceptions_count: state.exceptions,
		files: [],
	};
	const outcome = {
		data,
		variables: variables.getAllValues('conversation'),
		skippedNodes: graphRun.listSkippedNodes(),
		citations: state.citations,
	};
	if (end.status !== 'paused') {
		state.events.emitWorkflowFinished(data);
		return outcome;
	}
	const { env: _, ...values } = variables.toEntries();
	const paused: PausedRun = {
		...graphRun.getPausedState(),
		createdAt,
		elapsed: data.elapsed_time,
		tokens: state.tokens,
		steps: state.steps,
		allSteps: scheduler.steps,
		exceptions: state.exceptions,
		citations: state.citations,
		lastIndex: state.events.lastIndex,
		variables: values,
	};
	state.events.emitWorkflowPaused(data, agent.graph, paused.waiting);
	return { ...outcome, paused };
}

/** Wraps `execute` so that mocks and recorded outputs replace the nodes that don't run, and a recording what the others call. */
function addStandIns(agent: LoadedAgent, options: RunOptions, services: EngineServices, execute: Execute): Execute {
	const { mocks, replay, playback, recording, attack, gate } = options;
	const hold = createModelHold(gate);
	const held = hold ? executeWithServices(hold, execute) : execute;
	const recorded = recording ? executeRecorded(recording, { agent, options, services, replace: hold }, execute) : held;
	const replayed = playback ? playback.replaceNodes(recorded) : replay ? executeReplay(replay, recorded) : recorded;
	const mocked = mocks ? executeMocks(mocks, replayed) : replayed;
	return attack ? limitOutputs(executeAttacked(attack, mocks, mocked)) : mocked;
}

/** Fails a run that would pause with too many values to save at once. */
function limitPause(end: GraphEnd, graphRun: GraphRun, variables: VariablePool): GraphEnd {
	try {
		if (end.status === 'paused') {
			checkPausedWeight([graphRun.getPausedState(), variables.toEntries()]);
		}
		return end;
	} catch (error) {
		return { ...end, status: 'failed', error: error as Error };
	}
}

type GraphEnd = Pick<RoundEnd, 'status' | 'error' | 'outputs'>;

/** Runs the graph, unless moderation rejects the input. Rejected output is replaced. */
async function runModeratedGraph(
	state: RunState,
	graphRun: GraphRun,
	before: PausedRun | undefined,
	rules: WordRules,
	guard: AnswerGuard | undefined,
): Promise<GraphEnd> {
	const { options, events, scheduler } = state;
	const { signal } = scheduler;
	if (rules && !before) {
		// if the run is stopped meanwhile, the graph run reports it
		const preset = await findPresetAnswer(rules, listInputTexts(options), signal).catch(() => undefined);
		if (preset !== undefined) {
			events.emitTextChunk(preset);
			return { status: 'succeeded', outputs: { answer: preset, files: [] } };
		}
	}
	const end = await graphRun.runLevelToEnd(before);
	await guard?.waitUntilChecked();
	const { answer } = end.outputs;
	if (state.rewritten && options.chat && typeof answer === 'string' && end.status === 'succeeded') {
		events.emitTextReplace(answer);
	}
	if (!guard?.flagged.aborted || signal.aborted) {
		return end;
	}
	events.emitTextReplace(guard.preset);
	return { status: 'succeeded', outputs: { answer: guard.preset, files: [] } };
}

/** Returns the user's inputs as strings. */
function listInputTexts({ inputs, chat }: RunOptions): readonly string[] {
	return [...Object.values(inputs).map(toPlainText), chat?.query ?? ''];
}

function createRootVariables(agent: LoadedAgent, options: RunOptions, services: EngineServices, createdAt: number): VariablePool {
	const variables = new VariablePool(undefined, options.gate?.variableLog);
	const { chat } = options;
	variables.setAllValues('env', agent.environment);
	variables.setAllValues('conversation', { ...agent.conversation, ...(chat && pickDeclaredVariables(agent.conversation, chat.variables)) });
	variables.declareTypes('conversation', agent.conversationTypes);
	variables.setAllValues('sys', {
		files: createRunFiles(options.files, services),
		user_id: options.user,
		app_id: options.appId,
		workflow_id: options.workflowId,
		workflow_run_id: options.runId,
		timestamp: options.replay?.timestamp ?? createdAt,
		...(chat && { query: chat.query, conversation_id: chat.conversationId, dialogue_count: chat.dialogueCount }),
	});
	return variables;
}

/** Returns saved values of variables that the agent still declares. */
function pickDeclaredVariables(
	declared: Readonly<Record<string, unknown>>,
	kept: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
	return Object.fromEntries(Object.entries(kept).filter(([name]) => Object.hasOwn(declared, name)));
}
