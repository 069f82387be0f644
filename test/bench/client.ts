import { firstEvent } from './client/firstEvent.ts';
import { loading } from './client/loading.ts';
import { longEvent } from './client/longEvent.ts';
import { plainRequests } from './client/plainRequests.ts';
import { slowReader } from './client/slowReader.ts';
import { closeSubjects } from './client/subjects.ts';
import { textPeers, textStream } from './client/textStream.ts';
import { workflowEvents } from './client/workflowEvents.ts';
import type { BenchTable } from './harness/table.ts';

/** The budget table "Client": dist/client.cjs as it is shipped, compared with bare undici and the official SDKs. */
export const table: BenchTable = {
	name: 'client',
	measures: [textStream, textPeers, workflowEvents, firstEvent, plainRequests, slowReader, longEvent, loading],
	close: closeSubjects,
};
