import { closeChatWindow } from './chat/chatWindow.ts';
import { longReply } from './chat/longReply.ts';
import { longTranscript, pageCode } from './chat/longTranscript.ts';
import type { BenchTable } from './harness/table.ts';

/** The budget table "Chat", measured in a real workbench in a headless browser. */
export const table: BenchTable = { name: 'chat', measures: [longReply, longTranscript, pageCode], close: closeChatWindow };
