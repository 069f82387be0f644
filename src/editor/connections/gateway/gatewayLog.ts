import type { LogOutputChannel } from 'vscode';
import { tryParseJson } from '#base/text/json.ts';

/**
 * Copies a line of the gateway's JSON log to the editor's log. Logs lines that aren't JSON, such as crashes and Node warnings, as warnings.
 */
export function logGatewayLine(log: LogOutputChannel, line: string): void {
	const entry = parseLogLine(line);
	if (!entry) {
		log.warn(`[gateway] ${line}`);
		return;
	}
	const { time: _time, level, message, ...fields } = entry;
	const rest = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
	const text = ['[gateway]', message, ...rest].join(' ');
	if (level === 'error') {
		log.error(text);
	} else if (level === 'warn') {
		log.warn(text);
	} else if (message === 'request') {
		// requests only get the debug level, because the client logs its own requests
		log.debug(text);
	} else {
		log.info(text);
	}
}

function parseLogLine(line: string): Record<string, unknown> | undefined {
	const entry = tryParseJson(line);
	return typeof entry === 'object' && entry !== null ? { ...entry } : undefined;
}
