// Decorators are applied by hand: Node runs no decorator syntax, and a compiler would emit the same calls.
import 'reflect-metadata';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

class HelloController {
  hello(name) {
    return { hello: name };
  }
}
Controller()(HelloController);
Get('hello/:name')(
  HelloController.prototype,
  'hello',
  Object.getOwnPropertyDescriptor(HelloController.prototype, 'hello'),
);
Param('name')(HelloController.prototype, 'hello', 0);

class AppModule {}
Module({ controllers: [HelloController] })(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
console.log(`listening on ${await app.getUrl()}`);
