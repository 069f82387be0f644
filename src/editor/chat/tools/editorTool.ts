import * as vscode from 'vscode';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { ChatTool } from './chatTool.ts';
import { getResultText, mostTokens, runCancellable } from './toolResults.ts';

/** Returns a display name for where a VS Code tool runs. */
export function getToolPlace({ name }: Pick<vscode.LanguageModelToolInformation, 'name'>): string {
	return name.startsWith('mcp_') ? vscode.l10n.t('MCP server in VS Code') : vscode.l10n.t('VS Code');
}

/** Makes a tool of VS Code, another extension or an MCP server available to the chat. */
export function createEditorTool(chosen: ChosenTool, tool: vscode.LanguageModelToolInformation): ChatTool {
	const { name, description, inputSchema = { type: 'object', properties: {} } } = tool;
	return {
		chosen,
		title: name,
		where: getToolPlace(tool),
		description,
		inputSchema,
		async run(input, signal) {
			const text = await runCancellable(signal, token =>
				Promise.race([
					vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined, tokenizationOptions: mostTokens }, token).then(getResultText),
					// don't wait for tools that ignore their cancellation token
					new Promise<never>((_, reject) => token.onCancellationRequested(() => reject(new vscode.CancellationError()))),
				]),
			);
			return { text, isError: false };
		},
	};
}
