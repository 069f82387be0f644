import { StoppedEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { DebugEvent } from '#contract/debugging.ts';
import { formatPast } from './pastStatus.ts';

/** Where and why a run is paused, as reported by the gateway. */
export type ReportedStop = (DebugEvent & { event: 'debug_stopped' })['data'];

const stopReasons = {
	entry: 'entry',
	breakpoint: 'breakpoint',
	step: 'step',
	pause: 'pause',
	failure: 'exception',
	model: 'pause',
	end: 'pause',
} as const;

/**
 * Creates the event that tells VS Code that the run is paused.
 * @param isUpdate true if it was paused in the same place before, and only other work has finished
 */
export function createStoppedEvent(
	{ reason, branch, breakpoints = [], error, past }: ReportedStop,
	isUpdate: boolean,
): DebugProtocol.StoppedEvent {
	const stopped: DebugProtocol.StoppedEvent = new StoppedEvent(stopReasons[reason], branch);
	stopped.body.allThreadsStopped = true;
	// don't move the focus on an update, because the user may be looking elsewhere
	stopped.body.preserveFocusHint = isUpdate;
	stopped.body.hitBreakpointIds = breakpoints.map(Number);
	if (error !== undefined) {
		stopped.body.text = error;
	}
	if (past) {
		stopped.body.description = formatPast(past);
	} else if (reason === 'model') {
		stopped.body.description = vscode.l10n.t('Paused before a model call');
	} else if (reason === 'end') {
		stopped.body.description = vscode.l10n.t('At the end of the recorded run');
	}
	return stopped;
}
