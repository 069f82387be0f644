import { getErrorReason, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { AttachedPart, ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { type FilePlan, getFilesRefusal, planFiles, uploadFiles } from './agentFiles.ts';
import { readChatSteps, readRunSteps } from './agentSteps.ts';
import { type EndpointRequest, getAttachments, type ReplyStep, type TextEndpoint, toPlainText, type WaitedReply } from './endpoint.ts';
import { Stopping } from './stopping.ts';

const textTypes = new Set(['text-input', 'paragraph']);

/**
 * Sends chats to an agent (contract A). Services store the conversations of chat agents. Workflows don't remember earlier turns, so each
 * message is a separate run.
 */
export class AgentEndpoint implements TextEndpoint {
	readonly kind = 'agent';
	readonly #words: Localization;
	readonly #agent: AgentSummary | undefined;

	/** `agent` is undefined if the service doesn't list its agents. In that case, the agent is treated as a chat agent. */
	constructor(words: Localization, agent: AgentSummary | undefined) {
		this.#words = words;
		this.#agent = agent;
	}

	async checkAttachments(client: ServiceClient, request: Pick<EndpointRequest, 'model' | 'settings'>, attached: readonly AttachedPart[]) {
		return getFilesRefusal(this.#words, request.model, await this.#createFilePlan(client, request, attached));
	}

	async *streamReply(client: ServiceClient, request: EndpointRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const lastTurn = request.turns.at(-1);
		const { user, model } = request;
		const plan = await this.#createFilePlan(client, request, getAttachments(lastTurn?.parts ?? []));
		const message = lastTurn ? createMessageText(lastTurn, plan) : '';
		const sent = await uploadFiles(this.#words, client, plan, { user, model }, signal);
		const inputs = { ...getInputSettings(request), ...sent.inputs };
		const files = sent.files.length > 0 ? [...sent.files] : undefined;
		if (this.#agent && runsOncePerMessage(this.#agent)) {
			const filled = { ...inputs, ...this.#createMessageInput(this.#agent, inputs, message) };
			yield* this.#streamRun(client, { model: request.model, inputs: filled, user: request.user, ...(files && { files }) }, signal);
			return;
		}
		const body = {
			model: request.model,
			query: request.conversationId ? message : prependEarlierTurns(request.turns, message),
			inputs,
			user: request.user,
			...(files && { files }),
			...(request.conversationId && { conversation_id: request.conversationId }),
		};
		yield* this.#streamChat(client, body, signal);
	}

	async *resumeReply(client: ServiceClient, waited: WaitedReply, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const { model, user, run, begun } = waited;
		const query = { model, user, include_state_snapshot: false };
		const isRun = this.#agent !== undefined && runsOncePerMessage(this.#agent);
		const stop = (taskId: string) => client[isRun ? 'stopRun' : 'stopChatMessage'](taskId, { model, user });
		const stopping = new Stopping(signal, stop, this.#words);
		try {
			const options = { signal: stopping.cut };
			yield* isRun
				? readRunSteps(stopping.watchEvents(client.followRun(run, query, options)), this.#words, begun)
				: readChatSteps(stopping.watchEvents(client.followChatMessage(run, query, options)), this.#words, begun);
		} finally {
			stopping.dispose();
		}
	}

	/** Plans how to send attachments to the agent. If the service has no parameters, all attachments are uploaded. */
	async #createFilePlan(
		client: ServiceClient,
		{ model, settings }: Pick<EndpointRequest, 'model' | 'settings'>,
		attached: readonly AttachedPart[],
	): Promise<FilePlan> {
		const inputs = getInputSettings({ settings });
		try {
			return planFiles(attached.length > 0 ? await client.getAgentParameters({ model }) : {}, inputs, attached);
		} catch (error) {
			if (getErrorReason(error) === 'not-found') {
				return planFiles('unknown', inputs, attached);
			}
			throw error;
		}
	}

	/** Returns the message as the value of a text variable. Throws if the workflow has no such variable or other inputs are missing. */
	#createMessageInput(agent: AgentSummary, inputs: Record<string, unknown>, message: string): Record<string, string> {
		const missing = agent.variables.filter(v => inputs[v.variable] === undefined);
		const target = findMessageVariable(agent, inputs);
		const stillMissing = missing.filter(v => v.required && v.default === undefined && v !== target);
		if (!target || stillMissing.length > 0) {
			throw new Problem('settings', describeMissingInputs(this.#words, agent, stillMissing.length > 0 ? stillMissing : missing));
		}
		return { [target.variable]: message };
	}

	async *#streamChat(client: ServiceClient, body: ChatBody, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const { model, user } = body;
		const stopping = new Stopping(signal, taskId => client.stopChatMessage(taskId, { model, user }), this.#words);
		try {
			yield* readChatSteps(stopping.watchEvents(client.streamChatMessage(body, { signal: stopping.cut })), this.#words);
		} finally {
			stopping.dispose();
		}
	}

	async *#streamRun(client: ServiceClient, body: RunBody, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const { model, user } = body;
		const stopping = new Stopping(signal, taskId => client.stopRun(taskId, { model, user }), this.#words);
		try {
			yield* readRunSteps(stopping.watchEvents(client.streamWorkflow(body, { signal: stopping.cut })), this.#words);
		} finally {
			stopping.dispose();
		}
	}
}

type ChatBody = Parameters<ServiceClient['streamChatMessage']>[0];
type RunBody = Parameters<ServiceClient['streamWorkflow']>[0];

function getInputSettings({ settings }: Pick<EndpointRequest, 'settings'>): Record<string, unknown> {
	return (settings['inputs'] ?? {}) as Record<string, unknown>;
}

/** Returns the message's text. If there's none, names the uploaded files, because services require a text. */
function createMessageText(turn: Turn, { uploads }: FilePlan): string {
	const uploaded = new Set<ChatPart>(uploads.map(({ part }) => part));
	const text = toPlainText({ ...turn, parts: turn.parts.filter(part => !uploaded.has(part)) });
	return text || uploads.map(({ part }) => `(${part.kind} ${part.name})`).join('\n\n');
}

/** True if the agent runs once per message and doesn't remember earlier ones. */
export function runsOncePerMessage(agent: AgentSummary): boolean {
	return agent.mode === 'workflow' || agent.mode === 'completion';
}

/** Returns the variable that a message fills: the first required text variable without a value, or else the first optional one. */
export function findMessageVariable(agent: AgentSummary, inputs: Readonly<Record<string, unknown>>): AgentVariable | undefined {
	const free = agent.variables.filter(v => textTypes.has(v.type) && inputs[v.variable] === undefined);
	return free.find(v => v.required) ?? free[0];
}

/** Describes what an agent needs before it can get a message. */
function describeMissingInputs(words: Localization, agent: AgentSummary, variables: readonly AgentVariable[]): string {
	return variables.length > 0
		? words.t(
				"'{0}' needs values for {1}. Enter them above the message, or as 'inputs' in the chat's settings.",
				agent.name,
				variables.map(v => v.variable).join(', '),
			)
		: words.t("'{0}' has no text input that a message could fill. Use a run file to run it.", agent.name);
}

/** Prepends the earlier turns if the agent doesn't know them, because the user branched or another endpoint got them. */
function prependEarlierTurns(turns: readonly Turn[], message: string): string {
	const earlier = turns.slice(0, -1).flatMap(turn => {
		const text = toPlainText(turn).trim();
		return text ? [`${turn.role === 'user' ? 'User' : 'Assistant'}: ${text}`] : [];
	});
	return earlier.length > 0 ? `${earlier.join('\n\n')}\n\nUser: ${message}` : message;
}
