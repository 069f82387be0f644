import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { shortenId } from '#base/text/shortId.ts';
import { type ChannelLink, findChannelLinks } from '#runs/channel/lineFormat.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { getOutputUri } from '../following/runDocumentProvider.ts';

/**
 * Provides links in the output channel from run IDs to the inspector, from file names to the file, and from shortened values to the full
 * value.
 */
export class RunLinks implements vscode.DocumentLinkProvider {
	readonly #runs: Runs;

	constructor(runs: Runs) {
		this.#runs = runs;
	}

	provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
		const runs = new Map<string, RunRecord>();
		for (const record of this.#runs.list().toReversed()) {
			runs.set(shortenId(record.key), record);
			if (record.runId) {
				runs.set(shortenId(record.runId), record);
			}
		}
		const links: vscode.DocumentLink[] = [];
		for (const found of findChannelLinks(document.getText(), runs)) {
			const record = runs.get(found.id);
			const link = record && toDocumentLink(found, record);
			if (link) {
				const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.start + found.length));
				links.push(Object.assign(new vscode.DocumentLink(range, link.target), { tooltip: link.tooltip }));
			}
		}
		return links;
	}
}

function toDocumentLink(
	{ to, name }: ChannelLink,
	record: RunRecord,
): { readonly target: vscode.Uri; readonly tooltip: string } | undefined {
	switch (to) {
		case 'run':
			return { target: toCommandUri('agentWorkbench.run.inspect', record), tooltip: vscode.l10n.t('Inspect this run') };
		case 'file':
			return record.file && decodeURIComponent(record.file).endsWith(`/${name}`)
				? { target: vscode.Uri.parse(record.file), tooltip: vscode.l10n.t('Open the run file') }
				: undefined;
		case 'output':
			return { target: getOutputUri(record, name), tooltip: vscode.l10n.t("Open the full value of '{0}'", name) };
		case 'audio':
			return { target: toCommandUri('agentWorkbench.run.openAudio', record), tooltip: vscode.l10n.t('Play the audio of this run') };
	}
}

function toCommandUri(command: CommandId, { key }: RunRecord): vscode.Uri {
	return vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([key]))}`);
}
