import * as vscode from 'vscode';

/** Estimated tokens of an image, about as many as services count for a screenshot. */
const tokensOfImage = 1600;
/** Estimated tokens of a message in addition to its content. */
const tokensOfFrame = 4;

/** Estimates a text's tokens, rounded up: about four ASCII characters per token, or one character of other scripts. */
export function estimateTextTokens(text: string): number {
	let plain = 0;
	for (let i = 0; i < text.length; i++) {
		plain += text.charCodeAt(i) < 128 ? 1 : 0;
	}
	return Math.ceil(plain / 3.5 + (text.length - plain) / 1.2);
}

/** Estimates a message's tokens. */
export function estimateMessageTokens({ content }: Pick<vscode.LanguageModelChatRequestMessage, 'content'>): number {
	return content.reduce<number>((sum, part) => sum + estimatePartTokens(part), tokensOfFrame);
}

function estimatePartTokens(part: unknown): number {
	if (part instanceof vscode.LanguageModelTextPart) {
		return estimateTextTokens(part.value);
	}
	if (part instanceof vscode.LanguageModelToolCallPart) {
		return estimateTextTokens(part.name) + estimateTextTokens(JSON.stringify(part.input ?? {}));
	}
	if (part instanceof vscode.LanguageModelToolResultPart) {
		return part.content.reduce<number>((sum, each) => sum + estimatePartTokens(each), tokensOfFrame);
	}
	if (part instanceof vscode.LanguageModelDataPart) {
		const { mimeType, data } = part;
		return mimeType.startsWith('image/') ? tokensOfImage : mimeType.startsWith('text/') ? Math.ceil(data.byteLength / 3.5) : 0;
	}
	return 0;
}
