import * as vscode from 'vscode';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { ChatTool } from './chatTool.ts';
import { cancelledBy, mostTokens, textOfResult } from './toolResults.ts';

/** Where tools of the editor run, as people call it. */
export function placeOf({ name }: Pick<vscode.LanguageModelToolInformation, 'name'>): string {
	return name.startsWith('mcp_') ? vscode.l10n.t('an MCP server of VS Code') : vscode.l10n.t('VS Code');
}

/** A tool of VS Code, of one of its extensions or of an MCP server that it runs. */
export function editorTool(chosen: ChosenTool, tool: vscode.LanguageModelToolInformation): ChatTool {
	const { name, description, inputSchema = { type: 'object', properties: {} } } = tool;
	return {
		chosen,
		title: name,
		where: placeOf(tool),
		description,
		inputSchema,
		async run(input, signal) {
			const text = await cancelledBy(signal, token =>
				Promise.race([
					vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined, tokenizationOptions: mostTokens }, token).then(textOfResult),
					// a tool that pays no heed to its token may not hold the chat
					new Promise<never>((_, reject) => token.onCancellationRequested(() => reject(new vscode.CancellationError()))),
				]),
			);
			return { text, isError: false };
		},
	};
}
