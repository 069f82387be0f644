import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { shortId } from '#base/text/shortId.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { outputUri } from '../following/runDocumentProvider.ts';

/** Line of the channel: time, short ID, rest (what channelLines.ts writes). */
const linePattern = /^[\d:.]{12} {2}(\S{1,8}) {2}(.*)$/gm;
/** The rest of a line that shows a cut output: its name, and at its end the size. */
const outputName = /^ {2}(.+?): /;
const outputSize = /\(([\d,]+ characters: open)\)$/;

/** Links in the output channel: the run's ID to its inspector, from which the record is reached, the file's name to the file, a cut value to the whole. */
export class RunLinks implements vscode.DocumentLinkProvider {
	readonly #runs: Runs;

	constructor(runs: Runs) {
		this.#runs = runs;
	}

	provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
		const runs = new Map<string, RunRecord>();
		for (const record of this.#runs.list().toReversed()) {
			runs.set(shortId(record.key), record);
			if (record.runId) {
				runs.set(shortId(record.runId), record);
			}
		}
		const links: vscode.DocumentLink[] = [];
		const text = document.getText();
		for (const match of text.matchAll(linePattern)) {
			const [line, id = '', rest = ''] = match;
			const record = runs.get(id);
			if (record) {
				links.push(...linksOf(document, match.index, line, rest, record));
			}
		}
		return links;
	}
}

function linksOf(document: vscode.TextDocument, start: number, line: string, rest: string, record: RunRecord): vscode.DocumentLink[] {
	const link = (from: number, length: number, target: vscode.Uri, tooltip: string) => {
		const range = new vscode.Range(document.positionAt(start + from), document.positionAt(start + from + length));
		return Object.assign(new vscode.DocumentLink(range, target), { tooltip });
	};
	if (rest.startsWith('▷ ')) {
		const found = / {2}(run(?: \S+)?) {2}(?:(\S.*?) {2})?/.exec(line.slice(12));
		const inspect = commandUri('agentWorkbench.run.inspect', record);
		const links = [link(14, line.slice(14).indexOf(' '), inspect, vscode.l10n.t('Inspect this run'))];
		const file = record.file && found?.[2];
		if (file && decodeURIComponent(record.file).endsWith(`/${file}`)) {
			links.push(link(line.lastIndexOf(file), file.length, vscode.Uri.parse(record.file), vscode.l10n.t('Open the run file')));
		}
		return links;
	}
	const name = outputName.exec(rest)?.[1];
	const size = outputSize.exec(rest)?.[1];
	if (name && size) {
		return [link(line.length - 1 - size.length, size.length, outputUri(record, name), vscode.l10n.t('Open the whole of {0}', name))];
	}
	const open = /\bopen\)?$/.exec(line);
	if (open && rest.includes('tts_message_end')) {
		return [link(open.index, 4, commandUri('agentWorkbench.run.openAudio', record), vscode.l10n.t('Play the audio of this run'))];
	}
	return open ? [link(open.index, 4, commandUri('agentWorkbench.run.inspect', record), vscode.l10n.t('Inspect this run'))] : [];
}

function commandUri(command: CommandId, { key }: RunRecord): vscode.Uri {
	return vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([key]))}`);
}
