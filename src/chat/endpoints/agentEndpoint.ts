import type { ServiceClient } from '../../client/client.ts';
import { Problem, reasonOf } from '../../common/problems.ts';
import type { AgentSummary, AgentVariable } from '../../protocol/agents.ts';
import type { ChatEvent } from '../../protocol/chat.ts';
import { isEvent, type WorkflowEvent } from '../../protocol/events.ts';
import type { FileObject } from '../../protocol/workflows.ts';
import type { ImagePart, Turn } from '../transcript.ts';
import { type ImageRules, imageRules, imagesRefused, uploadImages } from './agentImages.ts';
import { type ChatRequest, type Endpoint, imagesOf, plainText, type ReplyStep, type Words } from './endpoint.ts';
import { Stopping } from './stopping.ts';

const textTypes = new Set(['text-input', 'paragraph']);

/**
 * An agent of A. Agents that converse keep the conversation themselves (`chat-messages`); a workflow knows nothing of earlier turns:
 * each message is a run of its own.
 */
export class AgentEndpoint implements Endpoint {
	readonly kind = 'agent';
	readonly #words: Words;
	readonly #agent: AgentSummary | undefined;

	/** `agent` is absent where the service does not list its agents; then it is taken for one that converses. */
	constructor(words: Words, agent: AgentSummary | undefined) {
		this.#words = words;
		this.#agent = agent;
	}

	async refusal(client: ServiceClient, request: Pick<ChatRequest, 'model' | 'settings'>, images: readonly ImagePart[]) {
		const rules = await this.#imageRules(client, request);
		return rules === 'unknown' ? undefined : imagesRefused(this.#words, request.model, rules, images);
	}

	async *reply(client: ServiceClient, request: ChatRequest, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const lastTurn = request.turns.at(-1);
		const message = lastTurn ? messageOf(lastTurn) : '';
		const { files, ...sent } = await this.#files(client, request, signal);
		const inputs = { ...inputsOf(request), ...sent.inputs };
		if (this.#agent && isWorkflow(this.#agent)) {
			const filled = { ...inputs, ...this.#messageInput(this.#agent, inputs, message) };
			yield* this.#run(client, { model: request.model, inputs: filled, user: request.user, ...(files && { files }) }, signal);
			return;
		}
		const body = {
			model: request.model,
			query: request.conversationId ? message : withEarlierTurns(request.turns, message),
			inputs,
			user: request.user,
			...(files && { files }),
			...(request.conversationId && { conversation_id: request.conversationId }),
		};
		yield* this.#converse(client, body, signal);
	}

	/** What the agent says of images; `unknown` where its service has no word for it, as one that speaks the contract alone. */
	async #imageRules(
		client: ServiceClient,
		{ model, settings }: Pick<ChatRequest, 'model' | 'settings'>,
	): Promise<ImageRules | 'unknown' | undefined> {
		try {
			return imageRules(await client.agentParameters({ model }), inputsOf({ settings }));
		} catch (error) {
			if (reasonOf(error) === 'not-found') {
				return 'unknown';
			}
			throw error;
		}
	}

	/** Uploads the message's images; they are its `files`, or the value of the variable that the agent has for them. */
	async #files(client: ServiceClient, request: ChatRequest, signal: AbortSignal): Promise<{ files?: FileObject[]; inputs?: object }> {
		const images = imagesOf(request.turns.at(-1)?.parts ?? []);
		if (images.length === 0) {
			return {};
		}
		const { user, model } = request;
		const rules = await this.#imageRules(client, request);
		const files = await uploadImages(this.#words, client, images, { user, model }, signal);
		const variable = rules === 'unknown' ? undefined : rules?.variable;
		return variable ? { inputs: { [variable.name]: variable.list ? files : files[0] } } : { files };
	}

	/** The message goes into the workflow's one text variable that no input fills; other shapes cannot be guessed. */
	#messageInput(agent: AgentSummary, inputs: Record<string, unknown>, message: string): Record<string, string> {
		const missing = agent.variables.filter(v => inputs[v.variable] === undefined);
		const target = messageVariable(agent, inputs);
		const stillMissing = missing.filter(v => v.required && v.default === undefined && v !== target);
		if (!target || stillMissing.length > 0) {
			throw new Problem('settings', agentNeeds(this.#words, agent, stillMissing.length > 0 ? stillMissing : missing));
		}
		return { [target.variable]: message };
	}

	async *#converse(client: ServiceClient, body: ChatBody, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const { model, user } = body;
		const stopping = new Stopping(signal, taskId => client.stopChatMessage(taskId, { model, user }));
		try {
			yield* chatSteps(stopping.watch(client.streamChatMessage(body, { signal: stopping.cut })), this.#words);
		} finally {
			stopping.dispose();
		}
	}

	async *#run(client: ServiceClient, body: RunBody, signal: AbortSignal): AsyncIterable<ReplyStep> {
		const { model, user } = body;
		const stopping = new Stopping(signal, taskId => client.stopRun(taskId, { model, user }));
		try {
			let begun = false;
			for await (const event of stopping.watch(client.streamWorkflow(body, { signal: stopping.cut }))) {
				for (const step of runSteps(event, begun, this.#words)) {
					begun ||= step.type === 'part';
					yield step;
				}
			}
		} finally {
			stopping.dispose();
		}
	}
}

type ChatBody = Parameters<ServiceClient['streamChatMessage']>[0];
type RunBody = Parameters<ServiceClient['streamWorkflow']>[0];

function inputsOf({ settings }: Pick<ChatRequest, 'settings'>): Record<string, unknown> {
	return (settings['inputs'] ?? {}) as Record<string, unknown>;
}

/** The message's text; its images go as files, and are named only where there is nothing else: services want a text. */
function messageOf(turn: Turn): string {
	return plainText({ ...turn, parts: turn.parts.filter(part => part.kind !== 'image') }) || plainText(turn);
}

/** Whether this agent runs once for each message and remembers none. */
export function isWorkflow(agent: AgentSummary): boolean {
	return agent.mode === 'workflow';
}

/** The variable that a message fills: the first free required text, else the first free text. */
export function messageVariable(agent: AgentSummary, inputs: Readonly<Record<string, unknown>>): AgentVariable | undefined {
	const free = agent.variables.filter(v => textTypes.has(v.type) && inputs[v.variable] === undefined);
	return free.find(v => v.required) ?? free[0];
}

/** The sentence that says what an agent needs before a message can go to it. */
export function agentNeeds(words: Words, agent: AgentSummary, variables: readonly AgentVariable[]): string {
	return variables.length > 0
		? words.t('"{0}" needs values for {1}. Set them as "inputs" in the settings.', agent.name, variables.map(v => v.variable).join(', '))
		: words.t('"{0}" takes no text, so a message has nowhere to go. Run it from a run file.', agent.name);
}

/**
 * A message to an agent that knows nothing of the turns before it: a branch of the chat, or one that another endpoint began. They are
 * written before it.
 */
function withEarlierTurns(turns: readonly Turn[], message: string): string {
	const earlier = turns.slice(0, -1).flatMap(turn => {
		const text = plainText(turn).trim();
		return text ? [`${turn.role === 'user' ? 'User' : 'Assistant'}: ${text}`] : [];
	});
	return earlier.length > 0 ? `${earlier.join('\n\n')}\n\nUser: ${message}` : message;
}

async function* chatSteps(events: AsyncIterable<ChatEvent>, words: Words): AsyncIterable<ReplyStep> {
	let begun = false;
	let conversation = '';
	for await (const event of events) {
		const { conversation_id: id } = event as { conversation_id?: unknown };
		if (typeof id === 'string' && id && id !== conversation) {
			conversation = id;
			yield { type: 'conversation', id };
		}
		if (event.event === 'message' || event.event === 'agent_message') {
			const piece = String((event as { answer?: unknown }).answer ?? '');
			if (!begun) {
				begun = true;
				yield { type: 'part', part: { kind: 'text', text: '' } };
			}
			yield { type: 'text', index: 0, text: piece };
		} else if (event.event === 'message_replace') {
			const whole = String((event as { answer?: unknown }).answer ?? '');
			// the replaced text is what moderation took back: it must not stay
			yield begun ? { type: 'patch', index: 0, fields: { text: whole } } : { type: 'part', part: { kind: 'text', text: whole } };
			begun = true;
		} else if (event.event === 'message_end') {
			yield* usageSteps((event as { metadata?: { usage?: Record<string, unknown> } }).metadata?.usage);
			yield { type: 'finish', finish: { reason: 'message_end', text: words.t('finished'), notable: false } };
		}
	}
}

function* usageSteps(usage: Record<string, unknown> | undefined): Iterable<ReplyStep> {
	const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
	if (typeof input === 'number' || typeof output === 'number') {
		yield { type: 'usage', usage: { ...(typeof input === 'number' && { input }), ...(typeof output === 'number' && { output }) } };
	}
}

function* runSteps(event: WorkflowEvent, begun: boolean, words: Words): Iterable<ReplyStep> {
	if (isEvent(event, 'text_chunk')) {
		if (!begun) {
			yield { type: 'part', part: { kind: 'text', text: '' } };
		}
		yield { type: 'text', index: 0, text: event.data.text };
	} else if (isEvent(event, 'text_replace') && begun) {
		yield { type: 'patch', index: 0, fields: { text: event.data.text } };
	} else if (isEvent(event, 'workflow_finished')) {
		const { status, outputs, error, total_tokens: tokens } = event.data;
		if (!begun && outputs) {
			yield { type: 'part', part: { kind: 'text', text: outputsText(outputs) } };
		}
		if (typeof tokens === 'number' && tokens > 0) {
			yield { type: 'usage', usage: { output: tokens } };
		}
		if (status === 'failed') {
			throw new Problem('run-failed', error ? words.t('The run failed: {0}', error) : words.t('The run failed and gave no reason.'));
		}
		const notable = status !== 'succeeded';
		yield {
			type: 'finish',
			finish: { reason: status, text: notable ? words.t('The run ended: {0}.', status) : words.t('finished'), notable },
		};
	}
}

/** A run's outputs as a reply: one text as it is, anything else as JSON. */
function outputsText(outputs: Record<string, unknown>): string {
	const [only, ...others] = Object.values(outputs);
	return typeof only === 'string' && others.length === 0 ? only : `\`\`\`json\n${JSON.stringify(outputs, null, 2)}\n\`\`\``;
}
