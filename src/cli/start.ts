#!/usr/bin/env node
// What is installed as `nightmark`, bundled (scripts/build.mjs). The program is loaded after Node was asked to keep what it compiles of
// it, which Node 22 and later can.
import * as nodeModule from 'node:module';

(nodeModule as { enableCompileCache?(): void }).enableCompileCache?.();
void import('./main.ts');
