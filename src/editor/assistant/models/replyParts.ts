import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { ChatPart, Finish, Usage } from '#pages/chat/transcript/transcript.ts';
import type { ReplyStep } from '../../chat/endpoints/endpoint.ts';
import type { SignedCall } from './signatures.ts';

/** Finish reasons for refused content (wire facts 2.1 and 4.1). */
const refusals = new Set([
	'refusal',
	'content_filter',
	'SAFETY',
	'PROHIBITED_CONTENT',
	'BLOCKLIST',
	'SPII',
	'IMAGE_SAFETY',
	'IMAGE_PROHIBITED_CONTENT',
]);

/** VS Code's class for thinking parts. It exists at run time, but isn't in the stable API yet. */
type ThinkingPart = new (value: string, id?: string) => vscode.LanguageModelResponsePart;

/**
 * Converts a reply of our endpoints to parts for VS Code. Sends text immediately, and tool calls when they're complete, that is, when the
 * next part starts or the reply ends.
 */
export class ReplyParts {
	readonly #progress: vscode.Progress<vscode.LanguageModelResponsePart>;
	readonly #cachedBeside: boolean;
	readonly #keep: (calls: readonly SignedCall[]) => void;
	readonly #thinkingPart = (vscode as { LanguageModelThinkingPart?: ThinkingPart }).LanguageModelThinkingPart;
	/** All parts of the reply so far. */
	readonly #parts: ChatPart[] = [];
	/** Number of parts that were already sent. */
	#sent = 0;
	#usage: Usage | undefined;
	#finish: Finish | undefined;
	#hasContent = false;

	/** `keep` gets the reply's tool calls at the end. `cachedBeside` is true if the service counts cached tokens separately. */
	constructor(
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		cachedBeside: boolean,
		keep: (calls: readonly SignedCall[]) => void,
	) {
		this.#progress = progress;
		this.#cachedBeside = cachedBeside;
		this.#keep = keep;
	}

	handleStep(step: ReplyStep): void {
		switch (step.type) {
			case 'part':
				this.#sendCalls();
				this.#addPart(step.part);
				break;
			case 'text':
				this.#appendText(step.index, step.text);
				break;
			case 'patch':
				this.#patchPart(step.index, step.fields);
				break;
			case 'whole':
				this.#replaceText(step.text, this.#getReplyText());
				break;
			case 'usage':
				this.#usage = { ...this.#usage, ...step.usage };
				break;
			case 'finish':
				this.#finish = step.finish;
				break;
		}
	}

	/** Must be called after the last step. Throws a {@link Problem} if the reply was refused, is incomplete or has no content. */
	finishReply(): void {
		this.#sendCalls();
		this.#saveCalls();
		const { input, output = 0, thinking = 0, cached = 0 } = this.#usage ?? {};
		if (input !== undefined) {
			const completion = output + thinking;
			const prompt = input + (this.#cachedBeside ? cached : 0);
			const counts = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
			this.#progress.report(vscode.LanguageModelDataPart.json({ ...counts, prompt_tokens_details: { cached_tokens: cached } }, 'usage'));
		}
		const finish = this.#finish;
		if (!finish) {
			throw new Problem('cut', vscode.l10n.t('The reply is incomplete: the connection closed before the end.'));
		}
		if (refusals.has(finish.reason)) {
			throw new Problem('blocked', finish.text);
		}
		if (!this.#hasContent) {
			throw new Problem('empty', finish.notable ? finish.text : vscode.l10n.t('The model returned neither text nor a tool call.'));
		}
	}

	/** Adds a part. A call with no ID or a duplicate ID gets a new one, because VS Code matches results to calls by ID. */
	#addPart(part: ChatPart): void {
		const needsId =
			part.kind === 'toolCall' && (part.id === '' || this.#parts.some(each => each.kind === 'toolCall' && each.id === part.id));
		this.#parts.push(needsId ? { ...part, id: `call_${randomUUID().replaceAll('-', '')}` } : { ...part });
		switch (part.kind) {
			case 'text':
				this.#sendText(part.text);
				break;
			case 'thinking':
				this.#sendThought(part.text);
				break;
			case 'image':
			case 'audio':
				this.#hasContent = true;
				this.#progress.report(new vscode.LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mimeType));
				break;
			case 'form':
				this.#sendText(
					vscode.l10n.t(
						"The agent is waiting for an answer to '{0}', but VS Code's chat can't show its form. Use Agent Workbench's chat instead.",
						part.form.title,
					),
				);
				break;
		}
	}

	#appendText(index: number, text: string): void {
		const part = this.#parts[index];
		if (part?.kind === 'text' || part?.kind === 'thinking') {
			part.text += text;
			part.kind === 'text' ? this.#sendText(text) : this.#sendThought(text);
		} else if (part?.kind === 'toolCall') {
			part.input += text;
		}
	}

	#patchPart(index: number, fields: Extract<ReplyStep, { type: 'patch' }>['fields']): void {
		const part = this.#parts[index];
		if (part?.kind === 'text' && fields.text !== undefined) {
			this.#replaceText(fields.text, part.text);
			part.text = fields.text;
		} else if (part?.kind === 'toolCall' && fields.input !== undefined) {
			part.input = fields.input;
		}
		if ((part?.kind === 'text' || part?.kind === 'thinking' || part?.kind === 'toolCall') && fields.signature !== undefined) {
			part.signature = fields.signature;
		}
	}

	/** Sends the rest of a text. If the text doesn't start with what was already sent, which can't be removed, sends all of it. */
	#replaceText(text: string, before: string): void {
		this.#sendText(text.startsWith(before) ? text.slice(before.length) : `\n\n${text}`);
	}

	#getReplyText(): string {
		return this.#parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
	}

	#sendText(text: string): void {
		if (text) {
			this.#hasContent = true;
			this.#progress.report(new vscode.LanguageModelTextPart(text));
		}
	}

	#sendThought(text: string): void {
		if (text && this.#thinkingPart) {
			this.#progress.report(new this.#thinkingPart(text));
		}
	}

	#sendCalls(): void {
		for (const part of this.#parts.slice(this.#sent)) {
			if (part.kind === 'toolCall') {
				this.#hasContent = true;
				this.#progress.report(new vscode.LanguageModelToolCallPart(part.id, part.name, parseCallInput(part)));
			}
		}
		this.#sent = this.#parts.length;
	}

	#saveCalls(): void {
		const calls = this.#parts.filter(part => part.kind === 'toolCall');
		const thinking = this.#parts.filter(part => part.kind === 'thinking' && (part.signature || part.redacted));
		this.#keep(calls.map((call, at) => ({ call, thinking: at === 0 ? (thinking as SignedCall['thinking']) : [] })));
	}
}

/** Parses the input of a call. Throws a {@link Problem} if it isn't an object, so that the tool doesn't run with the wrong input. */
function parseCallInput({ name, input }: SignedCall['call']): object {
	const value = tryParseJson(input || '{}');
	if (typeof value === 'object' && value !== null) {
		return value;
	}
	throw new Problem('cut', vscode.l10n.t("The model called '{0}' with input that's incomplete or isn't a JSON object.", name));
}
