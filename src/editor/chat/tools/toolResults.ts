import * as vscode from 'vscode';

/** Token limit for results of VS Code's tools. Counts four characters as one token. */
export const mostTokens: vscode.LanguageModelToolTokenizationOptions = {
	tokenBudget: 20_000,
	countTokens: async text => Math.ceil(text.length / 4),
};

/** Converts a tool's result to text. Replaces binary data with a note that has its type and size. */
export function getResultText({ content }: vscode.LanguageModelToolResult): string {
	return content.map(getPartText).join('\n');
}

function getPartText(part: unknown): string {
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

/** Runs `act` with a token that is canceled when the signal aborts. */
export async function runCancellable<T>(signal: AbortSignal, act: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
	const source = new vscode.CancellationTokenSource();
	const cancelToken = () => source.cancel();
	signal.addEventListener('abort', cancelToken);
	if (signal.aborted) {
		cancelToken();
	}
	try {
		return await act(source.token);
	} finally {
		signal.removeEventListener('abort', cancelToken);
		source.dispose();
	}
}
