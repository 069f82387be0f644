import type { OnEnterRule } from 'vscode';

/**
 * Returns Enter rules for list items in YAML. The next line aligns with the item's first key, and is indented further after a key that
 * starts a map, list or block string. VS Code's own rules align it with the dash instead.
 * @param indentAction `vscode.IndentAction.None`, passed in so that this module doesn't import `vscode`
 */
export function createEnterRules(indentAction: OnEnterRule['action']['indentAction']): OnEnterRule[] {
	const key = String.raw`^\s*-\s+(?:[\w.$-]+|"[^"]*"|'[^']*')\s*:`;
	return [
		{ beforeText: new RegExp(String.raw`${key}(?:\s*[|>][-+\d]*)?\s*$`), action: { indentAction, appendText: '    ' } },
		{ beforeText: new RegExp(String.raw`${key}\s+\S.*$`), action: { indentAction, appendText: '  ' } },
	];
}
