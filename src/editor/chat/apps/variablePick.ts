import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { ConversationVariable } from '#contract/dify/appFeatures.ts';
import { formatVariable, parseVariable } from './variableText.ts';

/** Maximum number of variables in the list. */
const mostVariables = 500;

/** Lets the user pick a variable of a conversation and change its value. */
export async function changeVariable(app: AppFeatures, conversationId: string, user: string): Promise<void> {
	const variables: ConversationVariable[] = [];
	for await (const variable of app.iterateVariables(conversationId, { user, limit: 100 })) {
		variables.push(variable);
		if (variables.length === mostVariables) {
			break;
		}
	}
	const picked = await vscode.window.showQuickPick(
		variables.map(variable => ({
			label: cutText(variable.name, 120),
			description: variable.value_type,
			detail: cutText(formatVariable(variable), 200),
			variable,
		})),
		{
			title: vscode.l10n.t('Conversation variables'),
			placeHolder:
				variables.length > 0 ? vscode.l10n.t('Select a variable to change') : vscode.l10n.t('This conversation has no variables.'),
			matchOnDetail: true,
		},
	);
	if (!picked) {
		return;
	}
	const { variable } = picked;
	const text = await vscode.window.showInputBox({
		title: vscode.l10n.t({
			message: "Value of '{0}' ({1})",
			args: [variable.name, variable.value_type],
			comment: ['{0} is the name of a variable, {1} is its type'],
		}),
		value: formatVariable(variable),
		ignoreFocusOut: true,
		validateInput: typed => validateTypedValue(variable, typed),
	});
	if (text !== undefined) {
		await app.setVariable(conversationId, variable.id, { user, value: parseVariable(variable, text) });
	}
}

function validateTypedValue(variable: ConversationVariable, typed: string): string | undefined {
	try {
		parseVariable(variable, typed);
		return undefined;
	} catch {
		return vscode.l10n.t("Enter a JSON value of type '{0}'.", variable.value_type);
	}
}
