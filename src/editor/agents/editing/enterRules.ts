import type { OnEnterRule } from 'vscode';

/**
 * Returns Enter rules for list items in YAML: the next line aligns with the item's first key instead of its dash, and is indented further after a key that
 * starts a map, list or block text. The editor's own rules only keep the indentation of the dash.
 * @param indentAction `vscode.IndentAction.None`
 */
export function createEnterRules(indentAction: OnEnterRule['action']['indentAction']): OnEnterRule[] {
	const key = String.raw`^\s*-\s+(?:[\w.$-]+|"[^"]*"|'[^']*')\s*:`;
	return [
		{ beforeText: new RegExp(String.raw`${key}(?:\s*[|>][-+\d]*)?\s*$`), action: { indentAction, appendText: '    ' } },
		{ beforeText: new RegExp(String.raw`${key}\s+\S.*$`), action: { indentAction, appendText: '  ' } },
	];
}
