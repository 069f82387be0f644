import * as vscode from 'vscode';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { ChatTool } from './chatTool.ts';
import { getResultText, mostTokens, runCancellable } from './toolResults.ts';

/** Returns a display name for where a VS Code tool runs. */
export function getToolPlace({ name }: Pick<vscode.LanguageModelToolInformation, 'name'>): string {
	return name.startsWith('mcp_') ? vscode.l10n.t('MCP server in VS Code') : vscode.l10n.t('VS Code');
}

/** Returns the titles of the tools that extensions declare, by tool name and in the display language. VS Code's own tools have none. */
export function readToolTitles(): ReadonlyMap<string, string> {
	const declared: readonly { readonly name: string; readonly displayName?: string }[] = vscode.extensions.all.flatMap(
		({ packageJSON }) => packageJSON.contributes?.languageModelTools ?? [],
	);
	return new Map(declared.map(({ name, displayName }) => [name, displayName || name]));
}

/** Returns a tool's title, or a readable form of its name if it has none, as the tools of MCP servers. */
export function getToolTitle(name: string, titles = readToolTitles()): string {
	return titles.get(name) ?? name.replace(/^mcp_/, '').replaceAll('_', ' ');
}

/** Makes a tool of VS Code, another extension or an MCP server available to the chat. */
export function createEditorTool(chosen: ChosenTool, tool: vscode.LanguageModelToolInformation): ChatTool {
	const { name, description, inputSchema = { type: 'object', properties: {} } } = tool;
	return {
		chosen,
		title: getToolTitle(name),
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
