import * as vscode from 'vscode';

/** How much tools of the editor may tell; a token is about four letters. */
export const mostTokens: vscode.LanguageModelToolTokenizationOptions = {
	tokenBudget: 20_000,
	countTokens: async text => Math.ceil(text.length / 4),
};

/** What a tool tells, as text: data that is none is named. */
export function textOfResult({ content }: vscode.LanguageModelToolResult): string {
	return content.map(textOfPart).join('\n');
}

function textOfPart(part: unknown): string {
	if (part instanceof vscode.LanguageModelTextPart) {
		return part.value;
	}
	if (part instanceof vscode.LanguageModelDataPart) {
		const { mimeType, data } = part;
		return /^text\/|json/.test(mimeType) ? Buffer.from(data).toString('utf8') : `(${mimeType}, ${data.byteLength} bytes)`;
	}
	if (part instanceof vscode.LanguageModelPromptTsxPart) {
		return JSON.stringify(part.value);
	}
	return '';
}

/** Does what is cancelled once the signal aborts, and waits for it to end. */
export async function cancelledBy<T>(signal: AbortSignal, act: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
	const source = new vscode.CancellationTokenSource();
	const cancel = () => source.cancel();
	signal.addEventListener('abort', cancel);
	if (signal.aborted) {
		cancel();
	}
	try {
		return await act(source.token);
	} finally {
		signal.removeEventListener('abort', cancel);
		source.dispose();
	}
}
