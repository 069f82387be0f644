import * as vscode from 'vscode';
import type { DifyApp, DifyMode } from '#client/dify/management.ts';
import type { AppLink } from '../../dify/difyTypes.ts';
import { modeText } from '../../platform/difyModeText.ts';
import { markdownText, momentText, oneLine } from '../../platform/wording.ts';

/** Modes of apps that are graphs: those alone can be overwritten, published and run as drafts. */
const graphModes: readonly DifyMode[] = ['workflow', 'advanced-chat'];

/** Icon of an app, by its mode. */
export function appIcon(mode: DifyMode): vscode.ThemeIcon {
	const icons: Readonly<Record<string, string>> = {
		workflow: 'type-hierarchy',
		'advanced-chat': 'comment-discussion',
		chat: 'comment',
		'agent-chat': 'hubot',
		completion: 'symbol-text',
	};
	return new vscode.ThemeIcon(Object.hasOwn(icons, mode) ? icons[mode]! : 'symbol-method');
}

/** How an app stands to its agent file, in a few words; empty without one: most apps of a workspace have none, and their rows are read faster. */
export function linkText(link: AppLink | undefined): string {
	switch (link?.state) {
		case undefined:
			return '';
		case 'changed-here':
			return link.nodes === undefined ? vscode.l10n.t('changed here') : nodesText(link.nodes);
		case 'changed-there':
			return vscode.l10n.t('changed there since');
		case 'changed-both':
			return vscode.l10n.t('changed here and there');
		case 'layout':
			return vscode.l10n.t('layout differs');
		default:
			return vscode.l10n.t('linked');
	}
}

/** What the menus go by. */
export function appContext({ mode }: DifyApp, link: AppLink | undefined, hasKey: boolean): string {
	return ['difyApp', graphModes.includes(mode) ? 'graph' : 'model', link ? 'linked' : '', hasKey ? 'key' : 'keyless']
		.filter(part => part !== '')
		.join('.');
}

/** What there is to say of an app; nothing of what its deployment says becomes a link. */
export function appTooltip({ name, mode, description, updatedAt }: DifyApp, link: AppLink | undefined): vscode.MarkdownString {
	const tooltip = new vscode.MarkdownString(`**${markdownText(oneLine(name, 200))}** · ${markdownText(modeText(mode))}\n\n`);
	if (description !== '') {
		tooltip.appendMarkdown(`${markdownText(description.slice(0, 2000))}\n\n`);
	}
	if (updatedAt !== undefined) {
		tooltip.appendMarkdown(`${markdownText(vscode.l10n.t('Changed there: {0}', momentText(updatedAt * 1000)))}\n\n`);
	}
	tooltip.appendMarkdown(
		link
			? `${markdownText(vscode.workspace.asRelativePath(link.uri))}: ${markdownText(linkText(link))}`
			: markdownText(vscode.l10n.t('No file of this workspace is of this app.')),
	);
	return tooltip;
}

function nodesText(nodes: number): string {
	return nodes === 1 ? vscode.l10n.t('1 node differs') : vscode.l10n.t('{0} nodes differ', nodes);
}
