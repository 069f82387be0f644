import * as vscode from 'vscode';

/** Tokens that an image counts as: about what services take for one of a screen's size. */
const tokensOfImage = 1600;
/** Tokens that the frame of a message takes. */
const tokensOfFrame = 4;

/** About how many tokens a text has: four letters of plain English make one, of other scripts nearly each letter does. Rather too many than too few. */
export function tokensOfText(text: string): number {
	let plain = 0;
	for (let i = 0; i < text.length; i++) {
		plain += text.charCodeAt(i) < 128 ? 1 : 0;
	}
	return Math.ceil(plain / 3.5 + (text.length - plain) / 1.2);
}

/** About how many tokens a message has. */
export function tokensOfMessage({ content }: Pick<vscode.LanguageModelChatRequestMessage, 'content'>): number {
	return content.reduce<number>((sum, part) => sum + tokensOfPart(part), tokensOfFrame);
}

function tokensOfPart(part: unknown): number {
	if (part instanceof vscode.LanguageModelTextPart) {
		return tokensOfText(part.value);
	}
	if (part instanceof vscode.LanguageModelToolCallPart) {
		return tokensOfText(part.name) + tokensOfText(JSON.stringify(part.input ?? {}));
	}
	if (part instanceof vscode.LanguageModelToolResultPart) {
		return part.content.reduce<number>((sum, each) => sum + tokensOfPart(each), tokensOfFrame);
	}
	if (part instanceof vscode.LanguageModelDataPart) {
		const { mimeType, data } = part;
		return mimeType.startsWith('image/') ? tokensOfImage : mimeType.startsWith('text/') ? Math.ceil(data.byteLength / 3.5) : 0;
	}
	return 0;
}
