import * as vscode from 'vscode';
import type { FormSummary } from '#runs/forms/runForm.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { joinParts } from '../../platform/runWording.ts';
import { formatTimestamp } from '../../platform/wording.ts';
import type { RunNode } from './runNode.ts';
import type { TreeNode } from './treeNode.ts';

/** A form that a run is waiting for. A click opens the run's inspector, which shows the form. */
export class FormNode implements TreeNode {
	readonly id: string;
	readonly parent: RunNode;
	readonly form: FormSummary;

	constructor(parent: RunNode, form: FormSummary) {
		this.id = `${parent.id}/form/${form.id}`;
		this.parent = parent;
		this.form = form;
	}

	/** Passed to commands on runs. */
	get run(): RunRecord {
		return this.parent.run;
	}

	createTreeItem(): vscode.TreeItem {
		const { title, answerable, expiresAt } = this.form;
		const item = new vscode.TreeItem(title);
		item.contextValue = answerable ? 'form' : 'form.elsewhere';
		item.iconPath = new vscode.ThemeIcon('checklist');
		const until =
			expiresAt === undefined
				? ''
				: vscode.l10n.t({
						message: 'expires {0}',
						args: [formatTimestamp(expiresAt)],
						comment: ["{0} is a relative time such as 'in 2 days'"],
					});
		// the parent already shows that the run is waiting
		item.description = joinParts(answerable ? '' : vscode.l10n.t("can't be answered here"), until);
		item.accessibilityInformation = { label: `${title}, ${item.description}` };
		item.command = {
			title: vscode.l10n.t({ message: 'Inspect', comment: ['verb: opens the run inspector'] }),
			command: 'agentWorkbench.run.inspect',
			arguments: [this],
		};
		return item;
	}
}
