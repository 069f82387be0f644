import * as vscode from 'vscode';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { findAgentHover } from '#agentFile/hovers/agentHover.ts';
import { cutValue } from '#base/text/cutValue.ts';
import { escapeMarkdown, formatCodeBlock, formatRelativeTime } from '../../platform/wording.ts';
import type { AgentReadings } from '../files/agentReadings.ts';
import type { LastValues } from '../lastRuns/lastValues.ts';
import { toDocumentRange } from './rangeOf.ts';

/** Maximum length of a value in a hover. */
const longestValue = 600;

/** Provides hovers in agent files: the description of a field, or the target of a reference and its value in the last run. */
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
		const found = findAgentHover(await this.#readings.readDocument(document), document.offsetAt(position), this.#schema, vscode.l10n.t);
		if (!found) {
			return undefined;
		}
		const head = [`**${escapeMarkdown(found.name)}**`, ...found.facts.map(escapeMarkdown)].join(' · ');
		const text = new vscode.MarkdownString([head, ...found.lines.map(escapeMarkdown)].join('\n\n'));
		const last = found.selector && (await this.#lastValues.findValue(document.uri, found.selector));
		if (last) {
			const value = cutValue(last.value, longestValue);
			text.appendMarkdown(
				`\n\n${escapeMarkdown(vscode.l10n.t('Value in the last run ({0}):', formatRelativeTime(last.record.startedAt)))}\n`,
			);
			text.appendMarkdown(
				typeof value === 'string' ? formatCodeBlock(value, 'text') : formatCodeBlock(JSON.stringify(value, undefined, 2), 'json'),
			);
		}
		return new vscode.Hover(text, toDocumentRange(document, found));
	}
}
