import * as vscode from 'vscode';
import type { DifyApp, DifyMode } from '#client/dify/management.ts';
import type { AppLink } from '../../dify/difyTypes.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import { escapeMarkdown, formatTimestamp, toOneLine } from '../../platform/wording.ts';

/** Modes of apps that are graphs. Only such apps can be overwritten, published and run as drafts. */
const graphModes: readonly DifyMode[] = ['workflow', 'advanced-chat'];

export function getAppIcon(mode: DifyMode): vscode.ThemeIcon {
	const icons: Readonly<Record<string, string>> = {
		workflow: 'type-hierarchy',
		'advanced-chat': 'comment-discussion',
		chat: 'comment',
		'agent-chat': 'hubot',
		completion: 'symbol-text',
	};
	return new vscode.ThemeIcon(Object.hasOwn(icons, mode) ? icons[mode]! : 'symbol-method');
}

/** Returns a short label for the state of an app's link to its agent file. Empty without a link, to keep most rows short. */
export function getLinkLabel(link: AppLink | undefined): string {
	switch (link?.state) {
		case undefined:
			return '';
		case 'changed-here':
			return link.nodes === undefined ? vscode.l10n.t('changed locally') : formatNodeCount(link.nodes);
		case 'changed-there':
			return vscode.l10n.t('changed in Dify');
		case 'changed-both':
			return vscode.l10n.t('changed locally and in Dify');
		case 'layout':
			return vscode.l10n.t('layout differs');
		default:
			return vscode.l10n.t('linked');
	}
}

/** Returns the node's context value, which the `when` clauses of menus check. */
export function getAppContextValue({ mode }: DifyApp, link: AppLink | undefined, hasKey: boolean): string {
	return ['difyApp', graphModes.includes(mode) ? 'graph' : 'model', link ? 'linked' : '', hasKey ? 'key' : 'keyless']
		.filter(part => part !== '')
		.join('.');
}

/** Creates the tooltip of an app. Escapes text from the deployment, so that it can't contain links. */
export function createAppTooltip({ name, mode, description, updatedAt }: DifyApp, link: AppLink | undefined): vscode.MarkdownString {
	const tooltip = new vscode.MarkdownString(`**${escapeMarkdown(toOneLine(name, 200))}** · ${escapeMarkdown(getModeLabel(mode))}\n\n`);
	if (description !== '') {
		tooltip.appendMarkdown(`${escapeMarkdown(description.slice(0, 2000))}\n\n`);
	}
	if (updatedAt !== undefined) {
		tooltip.appendMarkdown(`${escapeMarkdown(vscode.l10n.t('Updated in Dify: {0}', formatTimestamp(updatedAt * 1000)))}\n\n`);
	}
	tooltip.appendMarkdown(
		link
			? `${escapeMarkdown(vscode.workspace.asRelativePath(link.uri))}: ${escapeMarkdown(getLinkLabel(link))}`
			: escapeMarkdown(vscode.l10n.t('No agent file in this workspace is linked to this app.')),
	);
	return tooltip;
}

function formatNodeCount(nodes: number): string {
	return nodes === 1 ? vscode.l10n.t('1 node differs') : vscode.l10n.t('{0} nodes differ', nodes);
}
