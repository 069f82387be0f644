import path from 'node:path';
import * as vscode from 'vscode';
import { isEvent, type WorkflowEvent } from '#contract/events.ts';
import { formatReadableValue, formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import { maskEntry, maskRunSecrets, type Secrets } from '#runs/request/secrets.ts';
import { getStatusText, joinParts } from '../platform/runWording.ts';
import { formatBriefDuration, formatTokens, toOneLine } from '../platform/wording.ts';
import type { PreparedDebugRun } from './debuggedRun.ts';

/** A message for the Debug Console, with the category of the Debug Adapter Protocol. */
interface RunMessage {
	readonly text: string;
	readonly category: 'console' | 'stdout' | 'stderr';
}

/** Maximum length of the inputs on the first line, in UTF-16 units. */
const longestInputs = 200;

/** Describes the start of a run: the agent, its file, and the inputs with placeholders instead of secrets. */
export function formatRunStart({ agent, agentPath, inputs, secrets }: PreparedDebugRun): RunMessage {
	const values = formatValuesOnOneLine(maskRunSecrets(inputs, secrets));
	const heading = vscode.l10n.t({
		message: 'Running {0} ({1})',
		args: [agent, path.basename(agentPath)],
		comment: ['{0} is the name of an agent, {1} is the name of its file'],
	});
	return { text: joinParts(heading, toOneLine(values, longestInputs)), category: 'console' };
}

/**
 * Describes the end of a run: its outputs, then its status, duration, tokens and error, with placeholders instead of secrets. Returns
 * nothing for other events.
 */
export function formatRunEnd(given: WorkflowEvent, secrets: Secrets): readonly RunMessage[] {
	if (!isEvent(given, 'error') && !isEvent(given, 'workflow_finished')) {
		return [];
	}
	const event = maskEntry(given, secrets);
	if (isEvent(event, 'error')) {
		return [{ text: event.message, category: 'stderr' }];
	}
	const { status, outputs, error, elapsed_time: seconds, total_tokens: tokens } = event.data;
	const values = Object.entries(outputs ?? {}).map(([name, value]) => formatOutput(name, formatReadableValue(value, vscode.l10n.t)));
	const facts = [getStatusText(status), seconds ? formatBriefDuration(seconds * 1000) : '', tokens ? formatTokens(tokens) : ''];
	return [
		...values.map((text): RunMessage => ({ text, category: 'stdout' })),
		...(error ? [{ text: error, category: 'stderr' } as const] : []),
		{
			text: vscode.l10n.t({
				message: 'Run {0}',
				args: [joinParts(...facts)],
				comment: ["{0} is a status such as 'succeeded' with a duration"],
			}),
			category: 'console',
		},
	];
}

function formatOutput(name: string, text: string): string {
	return text.includes('\n') ? `${name}:\n${text.replaceAll(/^(?=.)/gm, '    ')}` : `${name}: ${text}`;
}
