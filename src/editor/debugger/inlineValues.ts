import * as vscode from 'vscode';
import { AgentLines } from '#agentFile/agentLines.ts';

/** Maximum length of a value at the end of a line, in UTF-16 units. */
const longest = 100;

/** Shows outputs at the end of the first line of each visible node. `outputs` are one-line texts by node ID. */
export function createInlineValues(text: string, outputs: ReadonlyMap<string, string>, viewPort: vscode.Range): vscode.InlineValue[] {
	const lines = text.split('\n');
	return new AgentLines(text).nodes.flatMap(({ id, first }) => {
		const value = outputs.get(id);
		const line = first - 1;
		if (value === undefined || line < viewPort.start.line || line > viewPort.end.line) {
			return [];
		}
		const end = lines[line]?.trimEnd().length ?? 0;
		const short = value.length > longest ? `${value.slice(0, longest)}…` : value;
		return [new vscode.InlineValueText(new vscode.Range(line, 0, line, end), short)];
	});
}
