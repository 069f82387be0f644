import * as vscode from 'vscode';
import { findFailureLine, readErrorLine } from '#agentFile/failureLine.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import type { CommandId } from '#base/commandIds.ts';
import { shortenId } from '#base/text/shortId.ts';
import { type ChannelLink, findChannelLinks } from '#runs/channel/lineFormat.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { getOutputUri } from '../following/runDocumentProvider.ts';

/**
 * Provides links in the output channel from run IDs to the inspector, from file names to the file, from shortened values to the full
 * value, and from errors of programs to the line that failed.
 */
export class RunLinks implements vscode.DocumentLinkProvider {
	readonly #runs: Runs;
	#reading: AgentReading | undefined;

	constructor(runs: Runs) {
		this.#runs = runs;
	}

	async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
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
			const link = record && ((await this.#createFailureLink(found, record)) ?? toDocumentLink(found, record));
			if (link) {
				const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.start + found.length));
				links.push(Object.assign(new vscode.DocumentLink(range, link.target), { tooltip: link.tooltip }));
			}
		}
		return links;
	}

	/** Links to the line of the agent file at which a program or template failed. */
	async #createFailureLink({ to, name }: ChannelLink, { marks }: RunRecord): Promise<LinkTarget | undefined> {
		const failed = marks?.failed.find(({ error }) => readErrorLine(error) === Number(name));
		if (to !== 'failure' || !marks || !failed) {
			return undefined;
		}
		const uri = vscode.Uri.parse(marks.file);
		const document = await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
		const line = document && findFailureLine(this.#readText(document.getText()), failed.id, failed.error);
		return line === undefined ? undefined : { target: uri.with({ fragment: `L${line}` }), tooltip: vscode.l10n.t('Go to source') };
	}

	/** Parses the text of an agent file, unless it's the last one, because many links can lead to one file. */
	#readText(text: string): AgentReading {
		if (this.#reading?.text !== text) {
			this.#reading = new AgentReading(text);
		}
		return this.#reading;
	}
}

interface LinkTarget {
	readonly target: vscode.Uri;
	readonly tooltip: string;
}

function toDocumentLink({ to, name }: ChannelLink, record: RunRecord): LinkTarget | undefined {
	switch (to) {
		case 'run':
			return { target: toCommandUri('agentWorkbench.run.inspect', record), tooltip: vscode.l10n.t('Inspect this run') };
		case 'file':
			return record.file && decodeURIComponent(record.file).endsWith(`/${name}`)
				? { target: vscode.Uri.parse(record.file), tooltip: vscode.l10n.t('Open the run file') }
				: undefined;
		case 'output':
			return { target: getOutputUri(record, name), tooltip: vscode.l10n.t("Open the full value of '{0}'", name) };
		case 'failure':
			return undefined;
		case 'audio':
			return { target: toCommandUri('agentWorkbench.run.openAudio', record), tooltip: vscode.l10n.t('Play the audio of this run') };
	}
}

function toCommandUri(command: CommandId, { key }: RunRecord): vscode.Uri {
	return vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([key]))}`);
}
