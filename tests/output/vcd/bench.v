// SPDX-License-Identifier: MIT
`timescale 1ns/100ps
module counter(input clk, input rst, output reg [7:0] q);
  always @(posedge clk) if (rst) q <= 0; else q <= q + 1;
endmodule
module top;
  reg clk = 0, rst = 1; wire [7:0] q; integer i = -5; real r = 0.5; time t; event done; reg [15:0] bus = 16'hzzzz; parameter P = 7;
  tri [3:0] half = 4'b1z0x;
  counter c(.clk(clk), .rst(rst), .q(q));
  always #2.5 clk = ~clk;
  initial begin
    $dumpfile("icarus.vcd"); $dumpvars(0, top);
    #12 rst = 0; bus = 16'hBEEF;
    repeat (20) begin @(posedge clk); i = i + 1; r = r * -1.25; t = $time; if (i == 5) begin -> done; $dumpoff; end if (i == 8) $dumpon; end
    bus = 16'h12xx;
    #10 $finish;
  end
endmodule
