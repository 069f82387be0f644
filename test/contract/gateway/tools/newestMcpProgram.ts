// An MCP server over standard input and output that supports only protocol 2026-07-28: node newestMcpProgram.ts refuse|end
// The argument decides whether it refuses the older handshake or exits because of it.
import process from 'node:process';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createNewestServer } from './newestMcp.ts';

if (process.argv[2] === 'end') {
	process.stdin.on('data', (chunk: Buffer) => chunk.includes('"initialize"') && process.exit(2));
}
serveStdio(() => createNewestServer('Hi'), { legacy: 'reject' });
