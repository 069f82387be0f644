// An MCP server over standard input and output that speaks protocol 2026-07-28 alone: node newestMcpProgram.ts refuse|end
// By its argument, it refuses what older clients begin with, or ends of it.
import process from 'node:process';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { newestServer } from './newestMcp.ts';

if (process.argv[2] === 'end') {
	process.stdin.on('data', (chunk: Buffer) => chunk.includes('"initialize"') && process.exit(2));
}
serveStdio(() => newestServer('Hi'), { legacy: 'reject' });
