import type { OnEnterRule } from 'vscode';

/**
 * What Enter does behind an item of a list in YAML: the next line stands under the item's first key, not under its dash, and deeper where a map, a list or
 * a text begins. The editor's own rules know the dash as an indentation of its own only.
 * @param indentAction `vscode.IndentAction.None`
 */
export function enterRules(indentAction: OnEnterRule['action']['indentAction']): OnEnterRule[] {
	const key = String.raw`^\s*-\s+(?:[\w.$-]+|"[^"]*"|'[^']*')\s*:`;
	return [
		{ beforeText: new RegExp(String.raw`${key}(?:\s*[|>][-+\d]*)?\s*$`), action: { indentAction, appendText: '    ' } },
		{ beforeText: new RegExp(String.raw`${key}\s+\S.*$`), action: { indentAction, appendText: '  ' } },
	];
}
