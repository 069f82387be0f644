import * as vscode from 'vscode';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { agentHover } from '#agentFile/hovers/agentHover.ts';
import { cutValue } from '#base/text/cutValue.ts';
import { agoText, markdownText } from '../../platform/wording.ts';
import type { AgentReadings } from '../files/agentReadings.ts';
import type { LastValues } from '../lastRuns/lastValues.ts';
import { rangeOf } from './rangeOf.ts';

/** Characters of a value that a hover shows. */
const longestValue = 600;

/** Hovers in agent files: what the schema says of a field, what a reference leads to, and the value that it had in the last run. */
export class AgentHovers implements vscode.HoverProvider {
	readonly #readings: AgentReadings;
	readonly #schema: AgentSchema;
	readonly #lastValues: LastValues;

	constructor(readings: AgentReadings, schema: AgentSchema, lastValues: LastValues) {
		this.#readings = readings;
		this.#schema = schema;
		this.#lastValues = lastValues;
	}

	async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
		const found = agentHover(await this.#readings.ready(document), document.offsetAt(position), this.#schema, vscode.l10n.t);
		if (!found) {
			return undefined;
		}
		const head = [`**${markdownText(found.name)}**`, ...found.facts.map(markdownText)].join(' · ');
		const text = new vscode.MarkdownString([head, ...found.lines.map(markdownText)].join('\n\n'));
		const last = found.selector && (await this.#lastValues.of(document.uri, found.selector));
		if (last) {
			const value = cutValue(last.value, longestValue);
			text.appendMarkdown(`\n\n${markdownText(vscode.l10n.t('Last value, {0}:', agoText(last.record.startedAt)))}\n`);
			text.appendCodeblock(
				typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
				typeof value === 'string' ? 'text' : 'json',
			);
		}
		return new vscode.Hover(text, rangeOf(document, found));
	}
}
