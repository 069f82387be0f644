import * as vscode from 'vscode';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import { openAgentFile } from './agentFileOf.ts';
import type { AssistantWork } from './agentWork.ts';
import { readRequiredText, type ToolInput } from './toolInput.ts';
import { createToolResult } from './toolResult.ts';

/** Lists the problems of an agent file with their lines, from the editor and the built-in gateway. Runs nothing. */
export class CheckAgentFile implements vscode.LanguageModelTool<ToolInput> {
	readonly #work: () => Promise<AssistantWork>;

	constructor(work: () => Promise<AssistantWork>) {
		this.#work = work;
	}

	prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<ToolInput>): vscode.PreparedToolInvocation {
		return { invocationMessage: vscode.l10n.t("Checking '{0}'", escapeLinks(toOneLine(String(input['file'] ?? '')))) };
	}

	async invoke({ input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<ToolInput>, token: vscode.CancellationToken) {
		const document = await openAgentFile(
			readRequiredText(input, 'file', vscode.l10n.t("'file' is missing. Expected the path of an agent file.")),
		);
		const { check, faults, name } = await (await this.#work()).check(document);
		const errors = faults.filter(({ severity }) => severity === 'error').length;
		return createToolResult(
			{
				file: vscode.workspace.asRelativePath(document.uri),
				agent: name,
				can_run: errors === 0,
				mode: check.mode,
				inputs: check.variables.map(({ variable, type, required }) => ({ name: variable, type, required })),
				faults: faults.map(({ severity, line, path, message }) => ({
					severity,
					...(line > 0 && { line }),
					...(path && { path }),
					message,
				})),
			},
			tokenizationOptions,
			token,
		);
	}
}
