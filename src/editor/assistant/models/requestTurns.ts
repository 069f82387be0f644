import * as vscode from 'vscode';
import type { ChatPart, Turn } from '#pages/chat/transcript/transcript.ts';
import type { Signatures } from './signatures.ts';

/** Value of the system role in VS Code's messages, which isn't in its API. */
const systemRole = 3;

/** MIME types of data sent to models. Other data from VS Code's chat is internal: cache markers, state, usage. */
const images = /^image\/(?:png|jpeg|gif|webp)$/;
const texts = /^(?:text\/|application\/json$)/;

/** Converts VS Code's messages to a system prompt and turns. Adds the stored signatures of `model`. */
export function convertRequest(
	messages: readonly vscode.LanguageModelChatRequestMessage[],
	model: string,
	signatures: Signatures,
): { readonly system: string; readonly turns: readonly Turn[] } {
	const system: string[] = [];
	const turns: Turn[] = [];
	const names = new Map<string, string>();
	for (const { role, content } of messages) {
		if (role === (systemRole as vscode.LanguageModelChatMessageRole)) {
			system.push(...content.flatMap(part => (part instanceof vscode.LanguageModelTextPart ? [part.value] : [])));
			continue;
		}
		const parts = content.flatMap(part => toChatParts(part, model, signatures, names));
		const isReply = role === vscode.LanguageModelChatMessageRole.Assistant;
		if (parts.length > 0) {
			turns.push({ id: '', parent: null, role: isReply ? 'assistant' : 'user', parts, at: 0 });
		}
	}
	return { system: system.join('\n\n'), turns };
}

function toChatParts(part: unknown, model: string, signatures: Signatures, names: Map<string, string>): ChatPart[] {
	if (part instanceof vscode.LanguageModelTextPart) {
		return [{ kind: 'text', text: part.value }];
	}
	if (part instanceof vscode.LanguageModelDataPart) {
		return toDataParts(part);
	}
	if (part instanceof vscode.LanguageModelToolCallPart) {
		names.set(part.callId, part.name);
		const signed = signatures.get(model, part.callId);
		const { signature } = signed?.call ?? {};
		const call: ChatPart = {
			kind: 'toolCall',
			id: sanitizeCallId(part.callId),
			name: part.name,
			input: JSON.stringify(part.input ?? {}),
			...(signature !== undefined && { signature }),
		};
		return [...(signed?.thinking ?? []), call];
	}
	if (part instanceof vscode.LanguageModelToolResultPart) {
		const contents = part.content.flatMap(toResultParts);
		const output = contents.flatMap(each => (each.kind === 'text' ? [each.text] : [])).join('\n');
		const result: ChatPart = {
			kind: 'toolResult',
			id: sanitizeCallId(part.callId),
			name: names.get(part.callId) ?? '',
			output,
			isError: false,
		};
		// services differ in how they accept images in results, so add the images as separate parts
		return [result, ...contents.filter(({ kind }) => kind === 'image')];
	}
	return [];
}

/** Replaces characters that the Anthropic protocol refuses, because IDs may come from models of other vendors. */
function sanitizeCallId(id: string): string {
	return id.replace(/[^\w-]/g, '_');
}

function toResultParts(part: unknown): ChatPart[] {
	if (part instanceof vscode.LanguageModelTextPart) {
		return [{ kind: 'text', text: part.value }];
	}
	if (part instanceof vscode.LanguageModelDataPart) {
		return toDataParts(part);
	}
	// a prompt-tsx part is a tree that only its own library can render
	return part instanceof vscode.LanguageModelPromptTsxPart ? [{ kind: 'text', text: JSON.stringify(part.value) ?? '' }] : [];
}

function toDataParts({ data, mimeType }: vscode.LanguageModelDataPart): ChatPart[] {
	if (images.test(mimeType)) {
		return [{ kind: 'image', name: mimeType, mimeType, data: Buffer.from(data).toString('base64') }];
	}
	return texts.test(mimeType) ? [{ kind: 'text', text: new TextDecoder().decode(data) }] : [];
}
