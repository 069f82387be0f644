import { fill } from '../shared/fill.ts';
import type { FromHost, PanelChange, PanelHead, PanelPreferences } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';
import type { ShownTurn } from './transcript/chatChanges.ts';
import { getRetryText } from './turns/retryText.ts';

/** State of the panel. A turn's object stays the same while its text grows. */
export interface PanelState {
	seq: number;
	head: PanelHead;
	turns: ShownTurn[];
	strings: PanelStrings;
	preferences: PanelPreferences;
	history: string[];
}

/** The effect of a message. `all`: everything changed. `shell`: turns were added or the head changed. `turns`: only these turns changed. */
interface Applied {
	readonly scope: 'all' | 'shell' | 'turns';
	readonly turns: readonly ShownTurn[];
	/** Replies that ended with this message, or that wait for their service since then. */
	readonly ended: readonly ShownTurn[];
}

/** Creates the state from a snapshot. */
export function createPanelState({ seq, head, turns, strings, preferences, history }: Extract<FromHost, { type: 'snapshot' }>): PanelState {
	return { seq, head, turns: [...turns], strings, preferences, history: [...history] };
}

/**
 * Applies numbered changes to the state. Returns `undefined` if a previous change is missing, so that the page requests a snapshot. Changes
 * of turns on other branches have no effect.
 */
export function applyChanges(state: PanelState, seq: number, changes: readonly PanelChange[]): Applied | undefined {
	if (seq !== state.seq + 1) {
		return undefined;
	}
	state.seq = seq;
	const touched = new Set<ShownTurn>();
	const ended: ShownTurn[] = [];
	let shell = false;
	for (const change of changes) {
		switch (change.type) {
			case 'head':
				state.head = change.head;
				shell = true;
				break;
			case 'path': {
				const streaming = new Set(state.turns.flatMap(({ id, reply }) => (reply?.status === 'streaming' ? [id] : [])));
				ended.push(...change.turns.filter(({ id, reply }) => streaming.has(id) && reply?.status !== 'streaming'));
				state.turns = [...change.turns];
				shell = true;
				break;
			}
			case 'turnAdded':
				state.turns.push(change.turn);
				shell = true;
				break;
			default: {
				const turn = state.turns.findLast(t => t.id === change.turn);
				if (turn) {
					if (isAnnounced(turn, change)) {
						ended.push(turn);
					}
					// suggestions below the last reply are rendered by the shell
					shell ||= change.type === 'replyChanged' && change.reply.suggested !== undefined;
					applyToTurn(turn, change);
					touched.add(turn);
				}
			}
		}
	}
	return { scope: shell ? 'shell' : 'turns', turns: [...touched], ended };
}

/** True if a change ends a reply, or makes it wait for its service. */
function isAnnounced({ reply }: ShownTurn, change: Extract<PanelChange, { turn: string }>): boolean {
	return (
		change.type === 'replyChanged' &&
		reply?.status === 'streaming' &&
		(change.reply.status !== 'streaming' || change.reply.retry !== undefined)
	);
}

/** Returns the announcement for screen readers when a reply has ended or waits. */
export function getEndText({ reply, parts }: ShownTurn, strings: PanelStrings): string {
	const form = parts.findLast(part => part.kind === 'form' && part.answer === undefined);
	switch (reply?.status) {
		case 'streaming':
			return reply.retry ? getRetryText(reply.retry, strings) : '';
		case 'failed':
			return fill(strings.replyFailed, reply.problem?.message ?? '');
		case 'stopped':
			return strings.replyStopped;
		default:
			return form?.kind === 'form' ? fill(strings.replyAsks, form.form.title) : strings.replyDone;
	}
}

function applyToTurn(turn: ShownTurn, change: Extract<PanelChange, { turn: string }>): void {
	switch (change.type) {
		case 'partAdded':
			turn.parts.push(change.part);
			break;
		case 'partChanged':
			turn.parts[change.index] = change.part;
			break;
		case 'replyChanged':
			turn.reply = change.reply;
			break;
		case 'textAdded': {
			const part = turn.parts[change.index];
			if (part?.kind === 'text' || part?.kind === 'thinking') {
				part.text += change.text;
			} else if (part?.kind === 'toolCall') {
				part.input += change.text;
			} else if (part?.kind === 'audio') {
				part.data += change.text;
			}
		}
	}
}
