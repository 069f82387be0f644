import { getErrorMessage } from '#base/problems.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { cutValue } from '#base/text/cutValue.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ToolDecision } from '#pages/chat/transcript/toolDecisions.ts';
import type { ChatPart, Finish, ToolRun, Turn } from '#pages/chat/transcript/transcript.ts';
import { type ChatTool, isSameTool, type ToolOutcome } from '../tools/chatTool.ts';
import type { ToolOffer } from '../tools/toolOffer.ts';
import type { Chat } from '../transcripts/chat.ts';
import { notEnded } from '../transcripts/toolTurns.ts';
import { isFailedStop } from './failures.ts';

/** Maximum number of rounds of tool calls in one reply. After that, the user must send a message to continue. */
export const mostRounds = 25;
/** Maximum length of a stored tool result, in characters. */
export const mostOutput = 100_000;

type Call = Extract<ChatPart, { kind: 'toolCall' }>;

/** Result of a call with its status. */
type Ended = ToolOutcome & { readonly status: ToolRun['status'] };

/** Runs the tool calls of one reply in order, and asks the user about each tool that isn't allowed in the chat. */
export class ToolRounds {
	readonly #chat: Chat;
	readonly #turn: Turn;
	readonly #offer: ToolOffer;
	readonly #declared: ReadonlySet<string>;
	readonly #words: Localization;
	#rounds = 0;
	/** The call that waits for the user's decision. `index` is its position in the turn's parts. */
	#asked: { readonly index: number; readonly decideCall: (decision: ToolDecision) => void } | undefined;

	/** `declared` has the names of tools that the user declared in the settings. The user enters their results. */
	constructor(chat: Chat, turn: Turn, offer: ToolOffer, declared: ReadonlySet<string>, words: Localization) {
		this.#chat = chat;
		this.#turn = turn;
		this.#offer = offer;
		this.#declared = declared;
		this.#words = words;
	}

	applyDecision(index: number, decision: ToolDecision): void {
		if (this.#asked?.index === index) {
			this.#asked.decideCall(decision);
		}
	}

	/**
	 * Runs the calls since the last results and appends their results. Resolves to true if the reply continues with them, to false if there's
	 * nothing to run, or to the reason why the reply stops. After `signal` aborts, resolves when the running tool has ended.
	 */
	async runCalls(finish: Finish, signal: AbortSignal): Promise<boolean | Finish> {
		const { parts } = this.#turn;
		const first = parts.findLastIndex(part => part.kind === 'toolResult') + 1;
		const calls = parts.flatMap((part, index) => (index >= first && part.kind === 'toolCall' ? [{ part, index }] : []));
		// don't run the calls of a cut reply, because the last one may be incomplete
		if (calls.length === 0 || finish.notable || this.#offer.size === 0 || calls.some(({ part }) => this.#declared.has(part.name))) {
			return false;
		}
		this.#rounds++;
		const tooMany = this.#rounds > mostRounds;
		for (const { part, index } of calls) {
			const { text, isError } = tooMany ? this.#skipCall(part, index) : await this.#processCall(part, index, signal);
			const output = String(cutValue(text, mostOutput));
			this.#chat.addPart(this.#turn, { kind: 'toolResult', id: part.id, name: part.name, output, isError });
		}
		const text = this.#words.t(
			'The model called tools {0} times in this reply, which is the limit. Send a message to continue.',
			mostRounds,
		);
		return tooMany ? { reason: finish.reason, text, notable: true } : true;
	}

	async #processCall(call: Call, index: number, signal: AbortSignal): Promise<ToolOutcome> {
		const tool = this.#offer.get(call.name);
		if (!tool) {
			return this.#finishCall(index, { title: call.name, where: '' }, createFailedOutcome('There is no tool with this name.'));
		}
		const shown = { title: tool.title, where: tool.where };
		const input = parseInput(call.input);
		if (!input) {
			return this.#finishCall(index, shown, createFailedOutcome('The input is not a JSON object.'));
		}
		if (!signal.aborted && !this.#isAllowed(tool) && (await this.#askUser(tool, index, signal)) === 'deny') {
			return this.#finishCall(index, shown, { status: 'denied', text: 'The user did not allow this call.', isError: true });
		}
		if (signal.aborted) {
			return this.#skipCall(call, index);
		}
		this.#updateStatus(index, { ...shown, status: 'running' });
		const started = performance.now();
		const ended = await this.#invokeTool(tool, input, signal);
		return this.#finishCall(index, { ...shown, ms: Math.round(performance.now() - started) }, ended);
	}

	async #invokeTool(tool: ChatTool, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Ended> {
		try {
			const outcome = await tool.run(input, signal);
			return { ...outcome, status: signal.aborted ? 'stopped' : outcome.isError ? 'failed' : 'done' };
		} catch (error) {
			return signal.aborted && !isFailedStop(error)
				? { status: 'stopped', text: notEnded, isError: true }
				: createFailedOutcome(getErrorMessage(error));
		}
	}

	/** Asks the user about a call. Resolves to undefined if the reply is stopped in the meantime, so callers must check `signal`. */
	async #askUser(tool: ChatTool, index: number, signal: AbortSignal): Promise<ToolDecision | undefined> {
		const { promise, resolve } = Promise.withResolvers<ToolDecision | undefined>();
		const stop = () => resolve(undefined);
		signal.addEventListener('abort', stop);
		this.#asked = { index, decideCall: resolve };
		this.#updateStatus(index, { title: tool.title, where: tool.where, status: 'asked' });
		const decision = await promise;
		this.#asked = undefined;
		signal.removeEventListener('abort', stop);
		if (decision === 'always') {
			const { tools } = this.#chat.transcript;
			this.#chat.updateFields({ tools: tools.map(each => (isSameTool(each, tool.chosen) ? { ...each, allowed: true } : each)) });
		}
		return decision;
	}

	#isAllowed(tool: ChatTool): boolean {
		return this.#chat.transcript.tools.some(each => each.allowed && isSameTool(each, tool.chosen));
	}

	/** Marks a call as skipped. */
	#skipCall(call: Call, index: number): ToolOutcome {
		const { title = call.name, where = '' } = this.#offer.get(call.name) ?? {};
		return this.#finishCall(index, { title, where }, { status: 'stopped', text: 'This tool was not run.', isError: true });
	}

	#finishCall(index: number, shown: Omit<ToolRun, 'status'>, { status, ...outcome }: Ended): ToolOutcome {
		this.#updateStatus(index, { ...shown, status });
		return outcome;
	}

	#updateStatus(index: number, run: ToolRun): void {
		this.#chat.patchPart(this.#turn, index, { run });
	}
}

function createFailedOutcome(text: string): Ended {
	return { status: 'failed', text, isError: true };
}

function parseInput(text: string): Record<string, unknown> | undefined {
	const input = tryParseJson(text || '{}');
	return isRecord(input) ? input : undefined;
}
