import { isOneShotMode } from '#agentFile/appModes.ts';
import { getField, toFields } from '#base/records/plainValues.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { getRunParent, type PartialRun } from '#contract/partialRun.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import { getHistory } from '../chat/conversationHistory.ts';
import { fillVariables } from '../chat/conversationVariables.ts';
import type { RunDetailRow } from '../store/runRows.ts';
import type { Store } from '../store/store.ts';
import type { RunOrder } from './runOrder.ts';

/** The request to run a part of an agent or to show a recorded run, besides the values of its recorded run. */
interface PartRequest {
	/** Absent to show a whole run. */
	readonly part?: PartialRun;
	/** ID of the run to show. */
	readonly shown?: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[] | undefined;
	/** For chatflows. */
	readonly query: string | undefined;
}

/**
 * Returns the values that a run of a part reuses from a recorded run. Throws an error (400) if that run doesn't exist.
 * @param events returns the events of a run as JSON texts
 */
export function createRecordedOrder(
	{ part, shown, inputs, files, query }: PartRequest,
	target: RunnableAgent,
	store: Store,
	events: (row: RunDetailRow) => Iterable<string>,
): Pick<RunOrder, 'inputs' | 'files' | 'piece' | 'chat' | 'parent'> {
	const id = part ? part.run : shown;
	const row = id === undefined ? undefined : store.runs.getRunDetail(target.row.id, id);
	if (id !== undefined && !row) {
		throw part
			? new ServiceFault(400, localizable`part.run: This agent has no saved run with this ID.`, { params: 'part' })
			: new ServiceFault(400, localizable`recorded_run: This agent has no saved run with this ID.`, { params: 'recorded_run' });
	}
	const { 'sys.files': recordedFiles = [], 'sys.user_id': _, ...recorded } = toFields(row && JSON.parse(row.inputs));
	const system = row ? readSystemVariables(events(row)) : {};
	const parent = part && getRunParent(part, inputs);
	return {
		inputs: { ...recorded, ...inputs },
		files: files ?? (recordedFiles as FileObject[]),
		piece: { ...(part && { part }), events: row && events(row) },
		...(parent && { parent }),
		...(!isOneShotMode(target.agent.mode) && {
			chat: createChatContext(query ?? String(system['sys.query'] ?? ''), system, row, target, store),
		}),
	};
}

/** Returns the `sys` values from the first event of a run. */
function readSystemVariables(events: Iterable<string>): Readonly<Record<string, unknown>> {
	for (const event of events) {
		return toFields(getField(getField(JSON.parse(event), 'data'), 'inputs'));
	}
	return {};
}

/** Returns the conversation at the recorded turn, with its current variables, because earlier ones aren't stored. */
function createChatContext(
	query: string,
	system: Readonly<Record<string, unknown>>,
	row: RunDetailRow | undefined,
	{ agent, row: { id } }: RunnableAgent,
	{ conversations }: Store,
): ChatContext {
	const conversationId = String(system['sys.conversation_id'] ?? '');
	const dialogueCount = Number(system['sys.dialogue_count'] ?? 1);
	const conversation = row && conversations.get(id, row.user, conversationId);
	const history = conversation ? getHistory(conversations, conversation).history.slice(0, 2 * (dialogueCount - 1)) : [];
	return { query, conversationId, dialogueCount, variables: conversation ? fillVariables(conversation.variables, agent) : {}, history };
}
