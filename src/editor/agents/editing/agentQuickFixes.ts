import * as vscode from 'vscode';
import type { AgentDiagnostic } from '#agentFile/checks/agentFaults.ts';
import { formatScalar } from '#agentFile/scalarText.ts';
import { findClosestNames } from '#base/text/closestNames.ts';
import { toDocumentRange } from './rangeOf.ts';

/** Maximum number of values to offer if none is similar to the current one. */
const mostFixes = 8;

/** Offers similar names for misspelled ones in agent files, most similar first. */
export class AgentQuickFixes implements vscode.CodeActionProvider {
	readonly #listFaults: (document: vscode.TextDocument) => Promise<readonly AgentDiagnostic[]>;

	constructor(faultsOf: (document: vscode.TextDocument) => Promise<readonly AgentDiagnostic[]>) {
		this.#listFaults = faultsOf;
	}

	async provideCodeActions(
		document: vscode.TextDocument,
		range: vscode.Range,
		context: vscode.CodeActionContext,
	): Promise<vscode.CodeAction[]> {
		const faults = await this.#listFaults(document);
		return faults.flatMap(fault => {
			const place = toDocumentRange(document, fault);
			const diagnostics = context.diagnostics.filter(each => each.code === fault.code && each.range.intersection(place));
			return range.intersection(place) ? createQuickFixes(document, fault, place, diagnostics) : [];
		});
	}
}

function createQuickFixes(
	document: vscode.TextDocument,
	{ suggestions = [] }: AgentDiagnostic,
	place: vscode.Range,
	diagnostics: vscode.Diagnostic[],
): vscode.CodeAction[] {
	const found = document.getText(place);
	const quote = /^["']/.exec(found)?.[0];
	const near = findClosestNames(found.replaceAll(/["']/g, ''), suggestions);
	return (near.length > 0 ? near : suggestions.slice(0, mostFixes)).map((suggestion, at) => {
		const action = new vscode.CodeAction(vscode.l10n.t("Change to '{0}'", suggestion), vscode.CodeActionKind.QuickFix);
		action.edit = new vscode.WorkspaceEdit();
		action.edit.replace(document.uri, place, quote ? JSON.stringify(suggestion) : formatScalar(suggestion, true));
		action.isPreferred = at === 0 && near.length > 0;
		action.diagnostics = diagnostics;
		return action;
	});
}
